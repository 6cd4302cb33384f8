/** The expected request limit: which of a token's requests are rejected, and the limit headers of every response. */
import type { TestResponse } from '../../support/test-service.ts';
import { ensure } from '../oracle/ensure.ts';
import { admittedBetween } from '../oracle/invariants.ts';
import type { Snapshot } from '../oracle/snapshot.ts';
import { countEvent } from '../world/world.ts';
import type { Act } from './command.ts';
import type { Asked, ModelAccount } from './model.ts';

const requestsPerWindow = 60;
const windowMs = 60_000;

export const codeOf = ({ status, body }: TestResponse): string => body.error?.code ?? String(status);

export const isLimited = (response: TestResponse): boolean => codeOf(response) === 'RATE_LIMITED';

/** How many of the latest requests count at a moment. */
const countedAt = (log: readonly number[], now: number): number => log.filter((at) => at > now - windowMs).length;

/** Whole seconds until the oldest request that counts leaves the window. */
function secondsToRoom(log: readonly number[], now: number): number {
  const oldest = log.find((at) => at > now - windowMs) ?? now - windowMs;
  return Math.max(1, Math.ceil((oldest + windowMs - now) / 1000));
}

/** A token that was created since the last look has not been used. */
const unused: readonly number[] = Array.from({ length: requestsPerWindow }, () => 0);

/** A token's log as so many further requests leave it. */
const logAfter = (log: readonly number[], admitted: number, now: number): number[] =>
  [...log, ...Array.from({ length: admitted }, () => now)].slice(-requestsPerWindow);

/** How many more requests a token's log admits at a moment. */
export const roomIn = (log: readonly number[] | undefined, now: number): number =>
  requestsPerWindow - countedAt(log ?? unused, now);

interface Limit {
  readonly log: readonly number[];
  readonly now: number;
  readonly requests: number;
  /** Writes whose response was lost: each was retried, and may have been counted twice. */
  readonly countedTwice: number;
}

function ensureRejections(
  { world }: Act,
  responses: readonly TestResponse[],
  { log, now, requests, countedTwice }: Limit,
): void {
  const free = roomIn(log, now);
  const rejected = responses.filter(isLimited);
  const failed = responses.filter(({ status }) => status === 500).length;
  const must = requests - free - (world.faults.disturbed ? failed : 0);
  const may = requests - Math.min(requests, Math.max(0, free - countedTwice));
  const evidence = { requests, free, countedTwice, rejected: rejected.length };
  ensure(
    rejected.length >= must && rejected.length <= may,
    'the limit rejects what is beyond it, and no more',
    evidence,
  );
  const seconds = secondsToRoom(logAfter(log, Math.min(requests, free), now), now);
  for (const { headers } of rejected) {
    ensure(headers['retry-after'] === String(seconds), 'a rejection says when there is room again', {
      headers,
      seconds,
    });
    ensure(headers.ratelimit === `"token";r=0;t=${seconds}`, 'a rejection says that nothing is left', {
      headers,
      seconds,
    });
  }
}

/** Each admitted request gets another number of remaining requests. */
function ensureRemaining(responses: readonly TestResponse[], { log, now, countedTwice }: Limit): void {
  const admitted = responses.filter((response) => !isLimited(response));
  const reported = admitted.flatMap(({ headers }) => headers.ratelimit ?? []);
  if (countedTwice > 0 || reported.length < admitted.length) return;
  const expected = reported.map((_, index) => {
    const after = logAfter(log, index + 1, now);
    return `"token";r=${requestsPerWindow - countedAt(after, now)};t=${secondsToRoom(after, now)}`;
  });
  const evidence = { reported, expected };
  ensure(
    reported.toSorted().join() === expected.toSorted().join(),
    'a response says what is left of the limit',
    evidence,
  );
}

/** Counts the responses to a token's requests, to compare them with its log afterwards. */
export function countResponses({ asked, world }: Act, tokenId: string, responses: readonly TestResponse[]): void {
  for (const response of responses) countEvent(world.tally.events, `response ${codeOf(response)}`);
  const before = asked.get(tokenId) ?? { admitted: 0, unknown: 0 };
  const unknown = responses.filter(({ status }) => status === 500).length;
  const rejected = responses.filter((response) => response.status === 401 || isLimited(response)).length;
  asked.set(tokenId, {
    admitted: before.admitted + responses.length - unknown - rejected,
    unknown: before.unknown + unknown,
  });
}

/** Sends requests with an account's token, all at once, and holds what the limit makes of them. */
export async function asking(
  act: Act,
  account: ModelAccount,
  requests: readonly ((token: string) => Promise<TestResponse>)[],
): Promise<TestResponse[]> {
  const { model, world } = act;
  const { token, tokenId } = account.token;
  const responses = await Promise.all(requests.map((request) => request(token)));
  countResponses(act, tokenId, responses);
  if (responses.some(isLimited)) account.rejections += 1;
  // A rejected token has no limit.
  if (responses.some(({ status }) => status === 401)) return responses;
  const log = model.seen.tokens.get(tokenId)?.log ?? unused;
  const countedTwice = world.faults.struckOn('UpdateItem', 'lost');
  const limit = { log, now: world.clock.now(), requests: requests.length, countedTwice };
  ensureRejections(act, responses, limit);
  ensureRemaining(responses, limit);
  return responses;
}

/** What every token's log has gained is what was asked with it. */
export function ensureLogs(before: Snapshot, after: Snapshot, asked: ReadonlyMap<string, Asked>, lost: number): void {
  for (const [tokenId, { log }] of after.tokens) {
    const { admitted, unknown } = asked.get(tokenId) ?? { admitted: 0, unknown: 0 };
    const counted = admittedBetween(before.tokens.get(tokenId)?.log ?? unused, log);
    const isCounted = counted >= admitted && counted <= admitted + unknown + lost;
    ensure(isCounted, 'what was admitted is counted, and nothing else', { counted, admitted, unknown, lost });
  }
}
