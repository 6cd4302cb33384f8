/** Which route is chosen for a new task. */
import { describe, expect, test } from 'vitest';
import { chooseRoute } from '../../../shared/domain/generation/choose-route.ts';
import { type Circuit, failuresThatOpen, unusedCircuit } from '../../../shared/domain/generation/circuit.ts';
import { unsupportedFields } from '../../../shared/domain/generation/unsupported-fields.ts';
import type { FileFacts } from '../../../shared/domain/media/file-limits.ts';
import { klapRoutes } from '../../../shared/engines/klap/klap-routes.ts';
import type { EngineRoute } from '../../../shared/engines/route.ts';
import { vizardRoutes } from '../../../shared/engines/vizard/vizard-routes.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';

const now = 1_000_000;
const until = now + 12_500;
const openFor = (accountId: string): Circuit => ({
  ...unusedCircuit,
  accounts: { [accountId]: { failures: failuresThatOpen, usedAt: now, openUntil: until } },
});
const open = openFor('caller');

const first: EngineRoute = { id: 'fal/a', engine: 'fal' };
const second: EngineRoute = { id: 'fal/b', engine: 'fal' };
const offline: EngineRoute = { id: 'offline/image', engine: 'offline' };

/** Chooses a route for the account `caller`, given the circuits of all routes. */
const choosing = (known: Readonly<Record<string, Circuit>>) => {
  const circuits = { ...closedCircuits, read: async () => new Map(Object.entries(known)) };
  return (routes: readonly EngineRoute[], body = {}, files?: ReadonlyMap<string, FileFacts>) =>
    chooseRoute({ circuits, clock: { now: () => now } }, routes, { body, ...(files && { files }) }, 'caller');
};
const chosen = (route: EngineRoute) => ({ status: 'chosen', route });

describe('the choice among routes that all support the request', () => {
  const routes = [first, second, offline];

  test('takes the first route whose circuit is closed for the account', async () => {
    expect(await choosing({})(routes)).toEqual(chosen(first));
    expect(await choosing({ 'fal/a': openFor('another account') })(routes)).toEqual(chosen(first));
    expect(await choosing({ 'fal/a': open })(routes)).toEqual(chosen(second));
    expect(await choosing({ 'fal/a': open, 'fal/b': open })(routes)).toEqual(chosen(offline));
  });

  test('returns when to retry if all circuits are open', async () => {
    const later: Circuit = {
      ...unusedCircuit,
      accounts: { caller: { failures: 9, usedAt: now, openUntil: until + 60_000 } },
    };
    expect(await choosing({ 'fal/a': later, 'fal/b': open, 'offline/image': later })(routes)).toEqual({
      status: 'unavailable',
      retryAfterSeconds: 13,
    });
  });
});

describe('the choice among routes that support some requests', () => {
  test.for([
    ['Klap', klapRoutes['klap/video-to-shorts'].cortes],
    ['Vizard', vizardRoutes['vizard/project'].cortes],
  ] as const)(
    'gives no file of unknown duration to %s, which could process more than was paid for',
    async ([, takes]) => {
      const file = new Map<string, FileFacts>([['videoUrl', { isUnmeasured: true }]]);
      const request = { videoUrl: 'https://example.com/a.mp4', aspectRatio: '9:16' };
      const route: EngineRoute = { ...first, takes };
      expect(await choosing({})([route, offline], request, file)).toEqual(chosen(offline));
      expect(unsupportedFields([route], { body: request, files: file })).toEqual([
        expect.stringContaining('videoUrl must be a file whose duration can be measured'),
      ]);
    },
  );

  test.for<[EngineRoute['takes'], 'takes' | 'skips', object]>([
    [{ image: 'given' }, 'takes', { image: 'x' }],
    [{ image: 'given' }, 'skips', {}],
    [{ image: 'absent' }, 'takes', {}],
    [{ image: 'absent' }, 'skips', { image: 'x' }],
    [{ images: 'given' }, 'skips', { images: [] }],
    [{ images: 'absent' }, 'takes', { images: [] }],
    [{ images: 'given' }, 'takes', { images: ['x'] }],
    [{ images: 'absent' }, 'skips', { images: ['x'] }],
    [{ text: 'given' }, 'takes', { text: '' }],
    [{ image: { given: true, minSidePixels: 300 } }, 'takes', { image: 'x' }],
    [{ image: { given: true, minSidePixels: 300 } }, 'skips', {}],
    [{ text: { maxLength: 2 } }, 'takes', { text: '😀😀' }],
    [{ text: { maxLength: 2 } }, 'skips', { text: 'abc' }],
    [{ text: { maxLength: 2 } }, 'takes', {}],
    [{ scale: [4] }, 'takes', { scale: 4 }],
    [{ scale: [4] }, 'skips', { scale: 2 }],
    [{ scale: [4] }, 'skips', {}],
    [{ scale: [2, 4], ratio: ['1:1'] }, 'takes', { scale: 2, ratio: '1:1' }],
    [{ scale: [2, 4], ratio: ['1:1'] }, 'skips', { scale: 2, ratio: '3:4' }],
  ])('given a route that accepts %j, %s it for the request %j', async ([takes, outcome, body]) => {
    const taken = outcome === 'takes';
    const picky: EngineRoute = { ...first, ...(takes && { takes }) };
    expect(await choosing({})([picky, offline], body)).toEqual(chosen(taken ? picky : offline));
    expect(await choosing({})([picky], body)).toEqual(taken ? chosen(picky) : { status: 'unsupported' });
  });

  const picky: EngineRoute = {
    ...first,
    takes: { face: { types: ['image/png'], minSidePixels: 300, ratios: ['1:2.5', '2.5:1'] } },
  };

  test.for<[string, FileFacts | undefined, string | undefined]>([
    ['accepts a file of the smallest allowed size', { contentType: 'image/png', width: 300, height: 300 }, undefined],
    ['accepts a file that is as narrow as allowed', { contentType: 'image/png', width: 400, height: 1000 }, undefined],
    ['accepts a file that is as wide as allowed', { contentType: 'image/png', width: 1000, height: 400 }, undefined],
    ['accepts a file that was not inspected', undefined, undefined],
    [
      'rejects a file that is too small',
      { contentType: 'image/png', width: 299, height: 300 },
      'face must be at least 300 pixels per side',
    ],
    [
      'rejects a file that is too narrow',
      { contentType: 'image/png', width: 399, height: 1000 },
      'face must have an aspect ratio between 1:2.5 and 2.5:1',
    ],
    [
      'rejects a file that is too wide',
      { contentType: 'image/png', width: 1001, height: 400 },
      'face must have an aspect ratio between 1:2.5 and 2.5:1',
    ],
    [
      'rejects a file of another type',
      { contentType: 'image/webp', width: 300, height: 300 },
      'face must be a PNG file, not WebP',
    ],
  ])('follows the limits of a route, which %s', async ([, facts, problem]) => {
    const body = { face: 'https://example.com/a.png' };
    const files = new Map(facts && [['face', facts]]);
    expect(await choosing({})([picky, offline], body, files)).toEqual(chosen(problem ? offline : picky));
    expect(await choosing({})([picky], body, files)).toEqual(problem ? { status: 'unsupported' } : chosen(picky));
    expect(unsupportedFields([picky], { body, files })).toEqual(problem ? [problem] : []);
  });

  test('gives links only to routes that accept links to their platform', async () => {
    const taking: EngineRoute = { ...first, takes: { video: { minSeconds: 60, links: ['youtube'] } } };
    const filesOnly: EngineRoute = { ...second, takes: { video: { minSeconds: 60 } } };
    const routes = [offline, filesOnly, taking];
    const body = { video: 'https://youtu.be/dQw4w9WgXcQ' };
    const link = (platform: 'youtube' | 'tiktok', durationSec = 60) => new Map([['video', { platform, durationSec }]]);
    expect(await choosing({})(routes, body, link('youtube'))).toEqual(chosen(taking));
    expect(await choosing({})(routes, body, link('youtube', 59))).toEqual({ status: 'unsupported' });
    expect(await choosing({})(routes, body, link('tiktok'))).toEqual({ status: 'unsupported' });
    expect(unsupportedFields([taking], { body, files: link('tiktok') })).toEqual([
      'video must be the URL of a file, not a link to TikTok',
    ]);
    expect(unsupportedFields([taking], { body, files: link('youtube', 59) })).toEqual([
      'video must be at least 60 seconds long',
    ]);
  });
});
