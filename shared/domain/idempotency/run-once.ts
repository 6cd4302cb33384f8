/** Runs an operation that calls an outside party before its commit, once for each idempotency key. */

import { successBody } from '../../contracts/envelope.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Table, TransactionRefused } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { Rejection } from '../rejection.ts';
import { type Idempotency, Replay } from './idempotency.ts';
import { type Claim, claimKey, releaseClaim, storeClaimedResponse } from './idempotency-claim.ts';

interface Needs {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Whose request it is, and the key that it carries, if any. */
interface Request {
  readonly accountId: string;
  readonly operationId: string;
  readonly idempotency: Idempotency | undefined;
}

interface Work<Outside, Data> {
  /** The status of a successful response. */
  readonly status: number;
  /**
   * Calls the outside party with an idempotency key that stays the same until the outcome is known. Throws a rejection
   * only when the outside party has definitely done nothing; any other error leaves the outcome open.
   */
  readonly call: (outsideKey: string) => Promise<Outside>;
  /** What is to be written for the outcome, and what the client is told; written once, together. */
  readonly commit: (outside: Outside) => { readonly actions: readonly Action[]; readonly data: Data };
}

/** How long a repeat waits for the first request, and how often it looks. */
const patienceMs = 5_000;
const lookEveryMs = 250;

/** The claim of the key, or the response that it stands for. @throws {Rejection} in-progress */
async function claimOrReplay(needs: Needs, request: Request, { key, fingerprint }: Idempotency) {
  const { clock, ids, pause } = needs;
  const scope = { accountId: request.accountId, operationId: request.operationId, key };
  const claim = { owner: ids.next(), outsideKey: ids.next(), fingerprint };
  const until = clock.now() + patienceMs;
  for (;;) {
    const outcome = await claimKey(needs.table, scope, claim, clock.now());
    if (outcome.status === 'answered') return new Replay(outcome.response);
    if (outcome.status === 'claimed') return outcome.claim;
    if (clock.now() >= until) throw new Rejection('in-progress', { retryAfterSeconds: 1 });
    await pause(lookEveryMs);
  }
}

/** A rejection frees the key; while the outcome is open, the next attempt must use the same outside key. */
async function callOrRelease<Outside>(
  { table }: Needs,
  claim: Claim,
  { call }: Pick<Work<Outside, unknown>, 'call'>,
): Promise<Outside> {
  try {
    return await call(claim.outsideKey);
  } catch (error) {
    await releaseClaim(table, claim, { keepsOutsideKey: !(error instanceof Rejection) });
    throw error;
  }
}

/** The data of the response, or the response of an earlier request. @throws {Rejection} in-progress, and what the work throws */
export async function runOnce<Outside, Data>(
  needs: Needs,
  request: Request,
  work: Work<Outside, Data>,
): Promise<Data | Replay> {
  const { table, clock, ids } = needs;
  if (!request.idempotency) {
    const { actions, data } = work.commit(await work.call(ids.next()));
    await table.transact(actions);
    return data;
  }
  const claim = await claimOrReplay(needs, request, request.idempotency);
  if (claim instanceof Replay) return claim;
  const { actions, data } = work.commit(await callOrRelease(needs, claim, work));
  const response = { status: work.status, body: successBody(data) };
  try {
    await table.transact([storeClaimedResponse(claim, response, clock.now()), ...actions]);
    return data;
  } catch (error) {
    const isTakenOver = error instanceof TransactionRefused && error.failures[0] !== undefined;
    if (!isTakenOver) {
      await releaseClaim(table, claim, { keepsOutsideKey: true });
      throw error;
    }
    // Another request took this one for dead, and called the outside party with the same key.
    return runOnce(needs, request, work);
  }
}
