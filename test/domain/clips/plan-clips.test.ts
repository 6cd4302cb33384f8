/**
 * How a link to a video platform becomes a plan: by its routes and the platform's information about the video; and how
 * thoroughly a file is measured.
 */
import { expect, test } from 'vitest';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import { addressesIn } from '../../../shared/contracts/user-addresses.ts';
import { planClips } from '../../../shared/domain/clips/plan-clips.ts';
import type { Inspection } from '../../../shared/domain/generation/inspection.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { EngineRoute } from '../../../shared/engines/route.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import type { Outbound } from '../../../shared/platform/outbound.ts';
import { OutboundFailed } from '../../../shared/platform/safe-fetch.ts';
import type { ResolvedVideo } from '../../../shared/video-resolvers/video-resolver.ts';
import { makeMedia } from '../../support/media/made-media.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';

const routes: readonly EngineRoute[] = [
  { id: 'offline/cortes', engine: 'offline' },
  { id: 'fal/clips', engine: 'fal', takes: { videoUrl: { links: ['youtube', 'tiktok'] } } },
];

const link = 'https://youtu.be/dQw4w9WgXcQ?t=42';

interface Case {
  readonly videoUrl?: string;
  readonly durationSec?: number;
  readonly video?: ResolvedVideo;
  readonly routes?: readonly EngineRoute[];
}

const plan = async (given: Case) => {
  const { video = { status: 'found', durationSec: 951 }, videoUrl = link, durationSec } = given;
  const asked: object[] = [];
  const request = { videoUrl, ...(durationSec !== undefined && { durationSec }) };
  const inspection = {
    accountId: 'account-1',
    addresses: [...addressesIn(generateContracts.generateCortes.body, request)],
    routes: given.routes ?? routes,
    files: new Map(),
    clock: { now: () => 0 },
    metrics: recordedMetrics(),
    requireFunds: () => undefined,
    // No earlier answer is stored.
    table: {
      get: async () => undefined,
      update: async () => ({}),
      put: async () => undefined,
    } as Partial<Table> as Table,
    videoResolver: {
      supports: (platform: string) => platform === 'youtube',
      resolve: async ({ platform, id }: { platform: string; id: string }) => {
        asked.push({ platform, id });
        return video;
      },
    },
  } satisfies Partial<Inspection>;
  const planned = await planClips(request, inspection as unknown as Inspection).catch((error: Error) => error);
  return { planned, asked, files: inspection.files };
};

// Calculated by hand: 3 clips for each 10 minutes, but at least 3 and at most 20.
test.for([
  [1, 3],
  [951, 5],
  [951.9, 5],
  [1800, 9],
  [10_800, 20],
])('a linked video with a duration of %f s results in %i clips', async ([durationSec = 0, clipCount]) => {
  const { planned, asked, files } = await plan({ video: { status: 'found', durationSec } });
  const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  expect(planned).toEqual({ seconds: Math.floor(durationSec), clipCount, link: { platform: 'youtube', url } });
  expect(asked).toEqual([{ platform: 'youtube', id: 'dQw4w9WgXcQ' }]);
  expect(files.get('videoUrl')).toEqual({ platform: 'youtube', durationSec });
});

test('the duration that a request declares for a linked video is ignored', async () => {
  const { planned } = await plan({ durationSec: Number.MAX_SAFE_INTEGER });
  expect(planned).toMatchObject({ seconds: 951, clipCount: 5 });
});

test.for<[string, Case, string, RegExp, number]>([
  [
    'no route accepts links',
    { routes: routes.slice(0, 1) },
    'download-failed',
    /not configured to download .* YouTube\.$/,
    0,
  ],
  [
    'no route accepts links to its platform',
    { videoUrl: 'https://www.instagram.com/reel/CyZ-3kLr_9a/' },
    'download-failed',
    /not configured to download .* Instagram\.$/,
    0,
  ],
  [
    'the service cannot determine durations on its platform',
    { videoUrl: 'https://vm.tiktok.com/ZMNuqbRsY/' },
    'download-failed',
    /not configured to determine the duration of videos on TikTok\.$/,
    0,
  ],
  [
    'the video is private or deleted',
    { video: { status: 'missing' } },
    'download-failed',
    /YouTube has no public video/,
    1,
  ],
  [
    'the video is a live broadcast',
    { video: { status: 'live' } },
    'download-failed',
    /live broadcast that has not ended\.$/,
    1,
  ],
  [
    'the platform does not return the duration of the video',
    { video: { status: 'failed', problem: 'YouTube responded with 403' } },
    'download-failed',
    /retry later\.$/,
    1,
  ],
  [
    'the platform answers no more requests of the service today',
    { video: { status: 'exhausted', problem: 'YouTube responded with 403' } },
    'download-failed',
    /YouTube answers no more requests of this service today; retry tomorrow/,
    1,
  ],
  [
    'the video is longer than three hours',
    { video: { status: 'found', durationSec: 10_801 } },
    'invalid',
    /^videoUrl must be at most 10800 seconds long$/,
    1,
  ],
  [
    'it does not lead to a single video',
    { videoUrl: 'https://www.youtube.com/@ana' },
    'invalid',
    /on YouTube, such as/,
    0,
  ],
])('a link to a video is rejected when %s', async ([, given, kind, message, requests]) => {
  const { planned, asked } = await plan(given);
  expect(planned).toBeInstanceOf(Rejection);
  expect(planned).toMatchObject({ kind, message: expect.stringMatching(message) });
  expect(asked).toHaveLength(requests);
});

test('the error response of a video platform is logged and not shown to the client', async () => {
  const { planned } = await plan({ video: { status: 'failed', problem: 'YouTube responded with 403' } });
  expect((planned as Rejection).details.internal).toBe('YouTube responded with 403');
  expect((planned as Rejection).message).not.toContain('403');
});

type Server = Pick<Outbound, 'open'>;

/** A server that serves these bytes, and ranges of them. */
const serving = (bytes: Buffer): Server => ({
  async open(_url, { headers = {} }) {
    const [, first = 0, last = bytes.length - 1] = (/^bytes=(\d+)-(\d+)?$/.exec(headers.range ?? '') ?? []).map(Number);
    const part = bytes.subarray(first, Math.min(bytes.length, last + 1));
    const range = `bytes ${first}-${first + part.length - 1}/${bytes.length}`;
    const sent = { etag: '"1"', 'content-range': range, 'content-length': String(part.length) };
    const body = (async function* () {
      yield part;
    })();
    return { status: headers.range === undefined ? 200 : 206, headers: sent, body, close: () => undefined };
  },
});

/** A server that sends the beginning of a file and then no more. */
const stalling = (bytes: Buffer): Server => ({
  async open() {
    const body = (async function* () {
      yield bytes.subarray(0, 64);
      throw new OutboundFailed('timeout');
    })();
    return { status: 200, headers: { 'content-length': String(bytes.length) }, body, close: () => undefined };
  },
});

const planFile = async (
  server: Server,
  { durationSec, isUpload = false }: { durationSec?: number; isUpload?: boolean },
) => {
  const request = { videoUrl: 'https://example.com/video.mp4', ...(durationSec !== undefined && { durationSec }) };
  const inspection = {
    accountId: 'account-1',
    addresses: [...addressesIn(generateContracts.generateCortes.body, request)],
    routes,
    files: new Map(),
    outbound: { ...server, isUpload: () => isUpload },
  };
  const planned = await planClips(request, inspection as unknown as Inspection).catch((error: Error) => error.message);
  return [planned, inspection.files.get('videoUrl')];
};

const film = (await makeMedia(['film.mp4'])).get('film.mp4') ?? expect.fail('the video was not made');

test('the sound of an uploaded video is checked when clips are planned, because engines may read the upload itself', async () => {
  const bytes = Buffer.from(film);
  // Every sample of its sound begins like a header with another sample rate.
  const media = bytes.lastIndexOf('mdat', undefined, 'latin1') + 4;
  bytes.fill(0xff, media, media - 8 + bytes.readUInt32BE(media - 8));
  const planned = (isUpload: boolean) => planFile(serving(bytes), { isUpload });
  expect(await planned(false)).toMatchObject([{ seconds: 6 }, { durationSec: 6 }]);
  expect(await planned(true)).toEqual([
    expect.stringMatching(/has sound with headers of its own in its samples/),
    undefined,
  ]);
});

test('a declared duration is used only for an MP4 that needs too many reads, never for one that stalls or is cut off', async () => {
  const free = Buffer.alloc(90_000);
  free.writeUInt32BE(free.length);
  free.write('free', 4, 'latin1');
  const head = film.readUInt32BE(0);
  const parts = [film.subarray(0, head), ...Array.from({ length: 420 }, () => free), film.subarray(head)];
  const scattered = serving(Buffer.concat(parts));
  const fragmented = 'videoUrl is too fragmented to be measured before it is downloaded: export it again';
  expect(await planFile(scattered, {})).toEqual([fragmented, undefined]);
  const unmeasured = [{ seconds: 1800, clipCount: 9 }, { isUnmeasured: true }];
  expect(await planFile(scattered, { durationSec: 1800.5 })).toEqual(unmeasured);
  const cut = serving(film.subarray(0, -100));
  for (const durationSec of [{}, { durationSec: 60 }]) {
    const late = 'videoUrl could not be downloaded: it took too long';
    expect(await planFile(stalling(film), durationSec)).toEqual([late, undefined]);
    expect(await planFile(cut, durationSec)).toEqual([
      expect.stringMatching(/^videoUrl is (?:truncated|not a readable)/),
      undefined,
    ]);
  }
});
