/** Runs an operation that calls an external system before its commit, once per idempotency key. */
import type * as z from 'zod';
import { successResponse } from '../../contracts/envelope.ts';
import type { OperationContract } from '../../contracts/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { TableBusy } from '../../platform/table-busy.ts';
import { Rejection } from '../rejection.ts';
import { type Idempotency, Replay } from './idempotency.ts';
import { type Claim, claimKey, recordCall, releaseClaim, storeClaimedResponse } from './idempotency-claim.ts';

interface Needs {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pause: (milliseconds: number) => Promise<void>;
}

type Responding = Pick<OperationContract, 'operationId' | 'success'>;

/** The account, operation and idempotency key, if any, of a request. */
interface Request<Contract extends Responding> {
  readonly accountId: string;
  readonly contract: Contract;
  readonly idempotency: Idempotency | undefined;
}

/** One write of a commit. */
export interface Write {
  readonly action: Action;
  /** The rejection for the client if the write's condition fails, given the existing item. */
  readonly rejection?: (item: Item | undefined) => Rejection;
  /**
   * Whether a failed condition only means that something has changed since the commit was built, so that it is built
   * again.
   */
  readonly mayBeStale?: true;
}

interface Commit<Data> {
  readonly writes: readonly Write[];
  readonly data: Data;
}

/** The information that a call to the external system gets about earlier calls with the same key. */
export interface Attempt extends Pick<Claim, 'isInherited' | 'calledAt'> {
  /**
   * Records the time of this call, for operations to which the time of the last call matters.
   * @throws {Rejection} in-progress
   */
  readonly recordCall: () => Promise<void>;
}

export interface Work<Outside, Data> {
  /**
   * Whether the external call may be repeated with another body, because it has no effect that must be committed. If
   * so, a request that ends without a response frees its key; if not, the key stays bound to the body until an outcome
   * is committed.
   */
  readonly isRepeatable: boolean;
  /**
   * Calls the external system with an idempotency key that stays the same until the outcome is known. Must throw a
   * rejection only if the external system did nothing in this call; any other error leaves the outcome unknown.
   * `isInherited`: an earlier request has called with the same key and may have succeeded.
   */
  readonly call: (outsideKey: string, attempt: Attempt) => Promise<Outside>;
  /** Returns the writes for the outcome and the response to the client, which are committed together, once. */
  readonly commit: (outside: Outside) => Commit<Data> | Promise<Commit<Data>>;
  /**
   * Undoes the call after a commit that has certainly written nothing; the idempotency key is free by then. A process
   * may crash before this, so whatever the call has created must also end in another way, such as by expiring.
   */
  readonly withdraw?: (outside: Outside) => Promise<void>;
}

/**
 * The number of attempts to commit, which is also how many writers can write the same rows concurrently: at least one
 * succeeds per round.
 */
const commitRounds = 50;

/** How long a repeated request waits for the first one, and how often it checks. */
const patienceMs = 5_000;
const lookEveryMs = 250;

const otherBody =
  'An unfinished request with this `Idempotency-Key` had a different body: send that body again, or use another key.';

/** Claims the key, or returns its stored response. @throws {Rejection} in-progress, other-body */
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
 * Calls the external system. A rejection of the first call frees the idempotency key; while the outcome of any call is
 * unknown, the next attempt must use the same key for the external system, because a later call that did nothing says
 * nothing about an earlier one.
 */
async function callOrRelease<Outside>(
  { table, clock }: Needs,
  claim: Claim,
  { call, isRepeatable }: Pick<Work<Outside, unknown>, 'call' | 'isRepeatable'>,
): Promise<Outside> {
  try {
    return await call(claim.outsideKey, {
      ...claim,
      async recordCall() {
        if (!(await recordCall(table, claim, clock.now())))
          throw new Rejection('in-progress', { retryAfterSeconds: 1 });
      },
    });
  } catch (error) {
    const isUndone = isRepeatable || (error instanceof Rejection && !claim.isInherited);
    await releaseClaim(table, claim, isUndone ? 'frees-key' : 'keeps-outside-key');
    throw error;
  }
}

/** The rejection that a failed write defines; otherwise the error itself. */
function meaningOf(error: unknown, writes: readonly Write[], failures: TransactionCanceled['failures']): unknown {
  const meanings = writes.map(({ rejection }, index) => failures[index] && rejection?.(failures[index].item));
  return meanings.find((meaning) => meaning !== undefined) ?? error;
}

/** Whether the only failed conditions are those that may be stale. */
const isStale = (writes: readonly Write[], failures: TransactionCanceled['failures']): boolean =>
  writes.every(({ mayBeStale }, index) => mayBeStale || !failures[index]);

/**
 * Commits the operation's writes, preceded by those that `firstOf` returns; rebuilds the commit while it is stale.
 * Undefined if one of the preceding writes fails. @throws {Rejection} as defined for a failed write
 */
async function write<Outside, Data>(
  table: Table,
  { commit }: Pick<Work<Outside, Data>, 'commit'>,
  outside: Outside,
  firstOf: (data: Data) => readonly Action[],
): Promise<{ readonly data: Data } | undefined> {
  for (let round = 1; ; round += 1) {
    const { writes, data } = await commit(outside);
    const first = firstOf(data);
    try {
      const actions = [...first, ...writes.map(({ action }) => action)];
      if (actions.length > 0) await table.transact(actions);
      return { data };
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      if (error.failures.slice(0, first.length).some((failure) => failure !== undefined)) return undefined;
      const failures = error.failures.slice(first.length);
      if (!isStale(writes, failures) || round === commitRounds) throw meaningOf(error, writes, failures);
    }
  }
}

/** Whether a failed commit has certainly written nothing. */
const isUnwritten = (error: unknown): boolean =>
  error instanceof Rejection || error instanceof TransactionCanceled || error instanceof TableBusy;

async function runWithoutKey<Outside, Data>({ table, clock, ids }: Needs, work: Work<Outside, Data>): Promise<Data> {
  const attempt = { isInherited: false, calledAt: clock.now(), recordCall: async () => undefined };
  const outside = await work.call(ids.next(), attempt);
  try {
    const written = await write(table, work, outside, () => []);
    if (!written) throw new Error('nothing precedes these writes');
    return written.data;
  } catch (error) {
    if (isUnwritten(error)) await work.withdraw?.(outside);
    throw error;
  }
}

/**
 * Runs the operation and returns its data, or returns the response of an earlier request. @throws {Rejection}
 * in-progress, other-body, those that the operation throws, and those that it defines for failed writes
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
    const { success } = contract;
    const committed = await write(needs.table, work, outside, (data) => [
      storeClaimedResponse(claim, successResponse(success, data), needs.clock.now()),
    ]);
    if (committed) return committed.data;
  } catch (error) {
    const withdraw = isUnwritten(error) ? work.withdraw : undefined;
    const end = work.isRepeatable || withdraw ? 'frees-key' : 'keeps-outside-key';
    // The key is released first, so that no repeated request returns what is being undone.
    if (await releaseClaim(needs.table, claim, end)) await withdraw?.(outside);
    throw error;
  }
  // Another request assumed that this one had crashed, and called the external system with the same key.
  return runOnce(needs, request, work);
}
