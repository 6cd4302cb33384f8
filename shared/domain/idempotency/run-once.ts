/** Runs an operation that calls an outside party before its commit, once for each idempotency key. */
import type * as z from 'zod';
import { successResponse } from '../../contracts/envelope.ts';
import type { OperationContract } from '../../contracts/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
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

type Responding = Pick<OperationContract, 'operationId' | 'success'>;

/** Whose request it is, for which operation, and the key that it carries, if any. */
interface Request<Contract extends Responding> {
  readonly accountId: string;
  readonly contract: Contract;
  readonly idempotency: Idempotency | undefined;
}

/** One write of a commit. */
export interface Write {
  readonly action: Action;
  /** What it means for the client that the action's condition did not hold, given what stood there. */
  readonly rejection?: (item: Item | undefined) => Rejection;
}

interface Commit<Data> {
  readonly writes: readonly Write[];
  readonly data: Data;
}

export interface Work<Outside, Data> {
  /**
   * Whether a call may be followed by one of another body: it has no effect that has to be committed. If so, whatever
   * ends a request without a response frees its key; if not, the key stays with the body until an outcome is committed.
   */
  readonly isRepeatable: boolean;
  /**
   * Calls the outside party with an idempotency key that stays the same until the outcome is known. Throws a rejection
   * only when the outside party has done nothing on this call; any other error leaves the outcome open.
   */
  readonly call: (outsideKey: string) => Promise<Outside>;
  /** What to write for the outcome, and the response to the client; written once, together. */
  readonly commit: (outside: Outside) => Commit<Data>;
}

/** How long a repeat waits for the first request, and how often it checks. */
const patienceMs = 5_000;
const lookEveryMs = 250;

const otherBody =
  'An unfinished request with this `Idempotency-Key` had a different body: send that body again, or use another key.';

/** The claim of the key, or its stored response. @throws {Rejection} in-progress, other-body */
async function claimOrReplay(
  needs: Needs,
  request: Request<Responding>,
  { key, fingerprint }: Idempotency,
  { isRepeatable }: Pick<Work<unknown, unknown>, 'isRepeatable'>,
) {
  const { clock, ids, pause } = needs;
  const scope = { accountId: request.accountId, operationId: request.contract.operationId, key };
  const claim = { owner: ids.next(), outsideKey: ids.next(), fingerprint, isRepeatable };
  const until = clock.now() + patienceMs;
  for (;;) {
    const outcome = await claimKey(needs.table, scope, claim, clock.now());
    if (outcome.status === 'completed') return new Replay(outcome.response);
    if (outcome.status === 'claimed') return outcome.claim;
    if (outcome.status === 'other-body') throw new Rejection('other-body', { message: otherBody });
    if (clock.now() >= until) throw new Rejection('in-progress', { retryAfterSeconds: 1 });
    await pause(lookEveryMs);
  }
}

/**
 * A rejection of the first call frees the key. While the outcome of any call is open, the next attempt must use the same
 * outside key: that a later call did nothing says nothing about an earlier one.
 */
async function callOrRelease<Outside>(
  { table }: Needs,
  claim: Claim,
  { call, isRepeatable }: Pick<Work<Outside, unknown>, 'call' | 'isRepeatable'>,
): Promise<Outside> {
  try {
    return await call(claim.outsideKey);
  } catch (error) {
    const isUndone = isRepeatable || (error instanceof Rejection && !claim.isInherited);
    await releaseClaim(table, claim, isUndone ? 'frees-key' : 'keeps-outside-key');
    throw error;
  }
}

/** What the failed condition of a write means for the client, if the work says so; otherwise the error itself. */
function meaningOf(error: unknown, writes: readonly Write[], failures: TransactionCanceled['failures']): unknown {
  const meanings = writes.map(({ rejection }, index) => failures[index] && rejection?.(failures[index].item));
  return meanings.find((meaning) => meaning !== undefined) ?? error;
}

async function runWithoutKey<Outside, Data>(
  { table, ids }: Needs,
  { call, commit }: Work<Outside, Data>,
): Promise<Data> {
  const { writes, data } = commit(await call(ids.next()));
  try {
    await table.transact(writes.map(({ action }) => action));
    return data;
  } catch (error) {
    throw error instanceof TransactionCanceled ? meaningOf(error, writes, error.failures) : error;
  }
}

/** Writes what the work commits with the response to its key; undefined if the claim was taken over. */
async function commitClaimed<Data>(
  { table, clock }: Needs,
  { success }: Responding,
  claim: Claim,
  { writes, data }: Commit<Data>,
): Promise<{ readonly data: Data } | undefined> {
  const store = storeClaimedResponse(claim, successResponse(success, data), clock.now());
  try {
    await table.transact([store, ...writes.map(({ action }) => action)]);
    return { data };
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    const [claimLost, ...failures] = error.failures;
    if (claimLost) return undefined;
    throw meaningOf(error, writes, failures);
  }
}

/**
 * The data of the response, or the response of an earlier request.
 * @throws {Rejection} in-progress, other-body, and what the work throws or says of a failed write
 */
export async function runOnce<Contract extends Responding, Outside>(
  needs: Needs,
  request: Request<Contract>,
  work: Work<Outside, z.input<Contract['success']['data']>>,
): Promise<z.input<Contract['success']['data']> | Replay> {
  const { contract, idempotency } = request;
  if (!idempotency) return runWithoutKey(needs, work);
  const claim = await claimOrReplay(needs, request, idempotency, work);
  if (claim instanceof Replay) return claim;
  const outside = await callOrRelease(needs, claim, work);
  try {
    const committed = await commitClaimed(needs, contract, claim, work.commit(outside));
    if (committed) return committed.data;
  } catch (error) {
    await releaseClaim(needs.table, claim, work.isRepeatable ? 'frees-key' : 'keeps-outside-key');
    throw error;
  }
  // Another request took this one for dead, and called the outside party with the same key.
  return runOnce(needs, request, work);
}
