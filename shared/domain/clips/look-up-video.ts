/**
 * Looks up linked videos without exhausting what the video site grants the whole service on a day: what it said is
 * stored for a while, and an account can have only so many videos looked up on a day.
 */
import { videoLookupsPerDay } from '../../contracts/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Item, Key, Table } from '../../platform/dynamo-table.ts';
import type { LinkedVideo, ResolvedVideo, VideoResolver } from '../../video-resolvers/video-resolver.ts';
import { countWithin } from '../count-on-day.ts';
import { expiryAttribute, linkedVideoKey } from '../keys.ts';
import type { ServiceMetrics } from '../metrics.ts';

export interface LookupNeeds {
  readonly clock: Clock;
  readonly metrics: ServiceMetrics;
  readonly table: Table;
  readonly videoResolver?: VideoResolver | undefined;
}

/**
 * For how many seconds an answer is used again. A duration seldom changes, and if it does, the engine's copy is compared
 * with what was paid for. A video that is missing or live may be published, or end, at any time.
 */
const ageSeconds = { found: 24 * 3600, missing: 600, live: 600 } as const;

type Answer = Extract<ResolvedVideo, { readonly status: keyof typeof ageSeconds }>;

/** The stored answer; an unreadable one is asked for again. It is read without a schema, so that few bundles grow. */
function answerIn({ status, durationSec }: Item): Answer | undefined {
  if (status === 'missing' || status === 'live') return { status };
  return status === 'found' && typeof durationSec === 'number' && durationSec > 0 ? { status, durationSec } : undefined;
}

async function findAnswer({ clock, table }: LookupNeeds, key: Key): Promise<Answer | undefined> {
  const item = await table.get(key);
  // The table deletes expired rows only hours later.
  return item && Number(item[expiryAttribute]) * 1000 > clock.now() ? answerIn(item) : undefined;
}

/** @throws {Rejection} rate-limited, if the account has had as many videos looked up today as it may */
const countLookup = (needs: LookupNeeds, accountId: string): Promise<void> =>
  countWithin(
    needs,
    accountId,
    { name: 'lookups', limit: videoLookupsPerDay },
    `The account has had ${videoLookupsPerDay} links to videos looked up today (UTC) and can have no more: send the address of a file`,
  );

/** What the video site says about a video, or said shortly before to any account. @throws {Rejection} rate-limited */
export async function lookUpVideo(
  needs: LookupNeeds,
  accountId: string,
  video: LinkedVideo,
  timeLimitMs: number,
): Promise<ResolvedVideo> {
  const { clock, metrics, table, videoResolver } = needs;
  if (!videoResolver) throw new Error('the function has no video resolver');
  if (!videoResolver.supports(video.platform)) return { status: 'unsupported' };
  const key = linkedVideoKey(video.platform, video.id);
  const known = await findAnswer(needs, key);
  if (known) return known;
  await countLookup(needs, accountId);
  const answer = await videoResolver.resolve(video, timeLimitMs);
  const isAnswer = answer.status === 'found' || answer.status === 'missing' || answer.status === 'live';
  metrics.record({ VideoLookups: 1, ...(!isAnswer && { VideoLookupFailures: 1 }) });
  if (!isAnswer) return answer;
  const expiry = Math.floor(clock.now() / 1000) + ageSeconds[answer.status];
  await table.put({ Item: { ...key, ...answer, [expiryAttribute]: expiry } });
  return answer;
}
