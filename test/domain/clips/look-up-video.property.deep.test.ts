/** Look-ups of linked videos: what YouTube said is used again, and an account can have only so many made on a day. */
import * as fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startYoutubeFake } from '../../../fakes/youtube/youtube-fake.ts';
import { videoLookupsPerDay } from '../../../shared/contracts/limits.ts';
import { lookUpVideo } from '../../../shared/domain/clips/look-up-video.ts';
import { countOnDay } from '../../../shared/domain/count-on-day.ts';
import { dayCountsKey, linkedVideoKey } from '../../../shared/domain/keys.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { dayAt, dayMs } from '../../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { videoResolver } from '../../../shared/video-resolvers/video-resolvers.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

const key = 'AIza-secret-of-youtube';
const durations: Record<string, string | undefined> = {};
const youtube = await startYoutubeFake({
  key,
  durationOf: (id) => (id in durations ? durations[id] : 'PT10M'),
});
const { table } = await tableInTests();
afterAll(() => youtube.close());

const midnight = Date.UTC(2026, 10, 21);
let now: number;
let metrics = recordedMetrics();
beforeEach(() => {
  now = midnight + 3_600_000;
  metrics = recordedMetrics();
  youtube.fail(undefined);
});

const clock = { now: () => now };
const settings = settingsOf({ [settingVariables.youtubeUrl]: youtube.url, [settingVariables.youtubeKey]: key });
const resolver = videoResolver({ settings, clock });

let videos = 0;
const newVideo = () => {
  videos += 1;
  return `video${String(videos).padStart(6, '0')}`;
};

/** The answer, or for how many seconds the account has to wait. */
const lookUp = (accountId: string, id: string) =>
  lookUpVideo({ clock, metrics, table, videoResolver: resolver }, accountId, { platform: 'youtube', id }, 5_000).catch(
    (error: unknown) => {
      if (error instanceof Rejection && error.kind === 'rate-limited') return error.details.retryAfterSeconds;
      throw error;
    },
  );

/** What a look-up returns, and whether YouTube was asked. */
async function asked(id: string, accountId = testIds.next()) {
  const before = youtube.requests.length;
  const answer = await lookUp(accountId, id);
  return [answer, youtube.requests.length - before];
}

test('concurrent look-ups of an account reach its daily limit exactly, and neither the next day nor another account is affected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 19 }), fc.nat({ max: dayMs - 1 }), async (left, at) => {
      now = midnight + at;
      const accountId = testIds.next();
      const used = { name: 'lookups', by: videoLookupsPerDay - left, limit: videoLookupsPerDay, at: now };
      await table.update(countOnDay(dayCountsKey(accountId, dayAt(now)), used));
      const before = youtube.requests.length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => lookUp(accountId, newVideo())));
      expect(youtube.requests.length - before).toBe(left);
      expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(left);
      const waits = answers.filter((answer) => typeof answer === 'number');
      expect(new Set(waits)).toEqual(new Set([Math.ceil((midnight + dayMs - now) / 1000)]));
      expect(await asked(newVideo())).toEqual([{ status: 'found', durationSec: 600 }, 1]);
      now = midnight + dayMs;
      expect(await asked(newVideo(), accountId)).toEqual([{ status: 'found', durationSec: 600 }, 1]);
    }),
    { numRuns: 5 },
  );
});

test.for<[string, string | undefined, object, number]>([
  ['a duration for a day', 'PT7M', { status: 'found', durationSec: 420 }, 24 * 3600],
  ['a missing video for ten minutes', undefined, { status: 'missing' }, 600],
  ['a live broadcast for ten minutes', 'P0D', { status: 'live' }, 600],
])('YouTube is asked again about %s only after that, whoever asks', async ([, duration, answer, seconds]) => {
  const id = newVideo();
  durations[id] = duration;
  expect(await asked(id)).toEqual([answer, 1]);
  now += seconds * 1000 - 1;
  expect(await asked(id)).toEqual([answer, 0]);
  now += 1;
  expect(await asked(id)).toEqual([answer, 1]);
});

test('an answer that is used again counts for no limit, and a failure is reported and not used again', async () => {
  const [accountId, id] = [testIds.next(), newVideo()];
  youtube.fail('quotaExceeded');
  const exhausted = { status: 'exhausted', problem: 'YouTube responded with 403 (quotaExceeded)' };
  expect(await asked(id, accountId)).toEqual([exhausted, 1]);
  youtube.fail(undefined);
  expect(await asked(id, accountId)).toEqual([{ status: 'found', durationSec: 600 }, 1]);
  for (let again = 0; again < 3; again += 1) await lookUp(accountId, id);
  expect(await table.get(dayCountsKey(accountId, dayAt(now)))).toMatchObject({ lookups: 2 });
  expect(metrics.recorded).toEqual([[{ VideoLookups: 1, VideoLookupFailures: 1 }], [{ VideoLookups: 1 }]]);
  expect(await table.get(linkedVideoKey('youtube', id))).toEqual({
    ...linkedVideoKey('youtube', id),
    status: 'found',
    durationSec: 600,
    expiresAt: Math.floor(now / 1000) + 24 * 3600,
  });
});

test('videos on sites that the service cannot look up cost no look-up', async () => {
  const [accountId, needs] = [testIds.next(), { clock, metrics, table, videoResolver: resolver }];
  const answer = await lookUpVideo(needs, accountId, { platform: 'tiktok', id: '7106594312292453675' }, 5_000);
  expect([answer, metrics.recorded]).toEqual([{ status: 'unsupported' }, []]);
  expect(await table.get(dayCountsKey(accountId, dayAt(now)))).toBeUndefined();
});
