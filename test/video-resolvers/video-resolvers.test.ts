/** The data that the service finds about videos behind links, with a fake of the YouTube Data API. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startYoutubeFake, type YoutubeFault } from '../../fakes/youtube/youtube-fake.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { videoResolver } from '../../shared/video-resolvers/video-resolvers.ts';
import { isoSeconds } from '../../shared/video-resolvers/youtube/youtube-resolver.ts';

const key = 'AIza-secret-of-youtube';
const durations: Record<string, string> = {
  anInterview: 'PT15M51S',
  aMovie_____: 'PT2H13M5S',
  aMarathon__: 'P1DT2H',
  aBroadcast_: 'P0D',
  aRiddle____: 'fifteen minutes',
};
const patienceMs = 20_000;

const fake = await startYoutubeFake({ key, durationOf: (id) => durations[id] });
afterAll(() => fake.close());
beforeEach(() => fake.fail(undefined));

const resolverWith = (changes: Readonly<Record<string, string>> = {}) => {
  const given = { [settingVariables.youtubeUrl]: fake.url, [settingVariables.youtubeKey]: key, ...changes };
  return videoResolver({ settings: settingsOf(given), clock: systemClock });
};

const resolve = (id: string, timeLimitMs = patienceMs) =>
  resolverWith().resolve({ platform: 'youtube', id }, timeLimitMs);

test.for([
  ['PT15M51S', 951],
  ['PT1H2M3S', 3723],
  ['PT45S', 45],
  ['PT3H', 10_800],
  ['P1DT2H3M4S', 93_784],
  ['P1W', 604_800],
  ['PT1.5S', 1.5],
  ['P0D', 0],
  ['PT0S', 0],
] as const)('the ISO 8601 duration %s is read as %j seconds', ([text, seconds]) => {
  expect(isoSeconds(text)).toBe(seconds);
});

const endless = `PT${'9'.repeat(400)}S`;

test.for(['P', 'PT', '15:51', 'PT15M51', '-PT5S', 'P367D', endless])(
  'the text %s is not read as a duration',
  (text) => {
    expect(isoSeconds(text)).toBeUndefined();
  },
);

test.for([
  ['of minutes', { status: 'found', durationSec: 951 }, 'anInterview'],
  ['of hours', { status: 'found', durationSec: 7985 }, 'aMovie_____'],
  ['of more than a day', { status: 'found', durationSec: 93_600 }, 'aMarathon__'],
  ['that is live', { status: 'live' }, 'aBroadcast_'],
  ['that does not exist', { status: 'missing' }, 'neverSeen__'],
  [
    'with a malformed duration',
    { status: 'failed', problem: 'YouTube gave a duration in another form' },
    'aRiddle____',
  ],
] as const)('a YouTube video %s resolves to %j', async ([, resolved, id]) => {
  expect(await resolve(id)).toEqual(resolved);
});

test('YouTube is asked about one video in one request, without the key in its URL', async () => {
  const before = fake.requests.length;
  await resolve('anInterview');
  expect(fake.requests.slice(before).map(({ path }) => path)).toEqual([
    '/videos?part=contentDetails&id=anInterview&fields=items%2FcontentDetails%2Fduration',
  ]);
});

test.for<[YoutubeFault, 'exhausted' | 'failed', string]>([
  ['quotaExceeded', 'exhausted', 'YouTube responded with 403 (quotaExceeded)'],
  ['rateLimitExceeded', 'failed', 'YouTube responded with 403 (rateLimitExceeded)'],
  ['backendError', 'failed', 'YouTube responded with 503 (backendError)'],
  ['page', 'failed', 'the response of YouTube has no list of videos'],
])('YouTube’s fault “%s” is returned as %s, with a problem that the caller logs', async ([fault, status, problem]) => {
  fake.fail(fault);
  expect(await resolve('anInterview')).toEqual({ status, problem });
});

test('a request to YouTube ends within the time limit when YouTube does not respond', async () => {
  fake.fail('hang');
  const { status, problem } = (await resolve('anInterview', 50)) as { status: string; problem: string };
  expect([status, problem]).toEqual(['failed', expect.stringMatching(/timeout/)]);
});

test.for([
  ['of another account', 'another-key', 'YouTube responded with 400 (keyInvalid)'],
  [
    'that is not a valid header value',
    'schlüssel\u0000',
    'the YouTube key contains characters that are not allowed in a header',
  ],
])('a YouTube key %s is reported without quoting the key', async ([, wrong, problem]) => {
  const resolver = resolverWith({ [settingVariables.youtubeKey]: wrong ?? '' });
  expect(await resolver.resolve({ platform: 'youtube', id: 'anInterview' }, patienceMs)).toEqual({
    status: 'failed',
    problem,
  });
});

test('without a key, durations of YouTube videos cannot be found, and those of TikTok and Instagram videos never can', async () => {
  const { length } = fake.requests;
  const keyless = resolverWith({ [settingVariables.youtubeKey]: 'none' });
  const unsupported = { status: 'unsupported' };
  expect(await keyless.resolve({ platform: 'youtube', id: 'anInterview' }, patienceMs)).toEqual(unsupported);
  for (const platform of ['tiktok', 'instagram'] as const) {
    expect(await resolverWith().resolve({ platform, id: 'anInterview' }, patienceMs)).toEqual(unsupported);
  }
  expect(fake.requests).toHaveLength(length);
});
