/** Performs acts of operators: checks the role, the reason and the input, and never changes anything unrecorded. */
import type * as z from 'zod';
import { text } from '../../contracts/fields.ts';
import { reasonLimits } from '../../contracts/operate-acts.ts';
import { hasRole } from '../../contracts/operator-roles.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { outsideText } from '../../platform/outside-text.ts';
import { Rejection } from '../rejection.ts';
import { type Act, type By, type Facts, FailedHalfWay, type Found } from './act.ts';
import { AlreadyRecorded, actOfKey, claimActKey, committing } from './act-keys.ts';
import { type ActEntry, actLog, appendEnd, appendEntry, bytesOf, factsBytesLimit } from './act-log.ts';
import { issueText } from './issue-text.ts';
import type { Operator } from './operator.ts';

export interface ActNeeds {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly table: Table;
}

export interface ActRequest {
  readonly operator: Operator;
  readonly reason: string;
  readonly input: unknown;
  readonly requestId?: string | undefined;
  /** The idempotency key: if the act is sent again with the same key, it is not performed again. */
  readonly key?: string | undefined;
}

/** A performed act. It has no result if an earlier request with the same key performed it. */
export interface Performed<Result> {
  readonly entry: ActEntry;
  readonly result?: Result;
}

/** @throws {Rejection} invalid */
function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, name = ''): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { error: issueText });
  if (!error) return data;
  const [{ path, message } = { path: [], message: 'is invalid' }] = error.issues;
  throw new Rejection('invalid', { message: `${[name, ...path.map(String)].filter(Boolean).join('.')} ${message}` });
}

interface Prepared<Input, State> {
  readonly input: Input;
  readonly by: By;
  readonly found: Found<State>;
  /** What the act changes, as far as that is known before it is performed. */
  readonly planned: Facts | undefined;
}

async function prepare<Needs extends ActNeeds, Schema extends z.ZodType, State, Result extends object>(
  needs: Needs,
  act: Act<Needs, Schema, State, Result>,
  { operator, reason: given, input: unparsed }: ActRequest,
): Promise<Prepared<z.output<Schema>, State>> {
  if (!hasRole(operator.role, act.role)) {
    throw new Rejection('forbidden', { message: `This needs the role ${act.role}.` });
  }
  const reason = parsed(
    text(reasonLimits.least, reasonLimits.most),
    typeof given === 'string' ? outsideText(given).trim() : given,
    'reason',
  );
  const input = parsed(act.input(), unparsed);
  const by = { operator, reason, at: needs.clock.now() };
  const found = await act.find(needs, input, by);
  const planned = act.after?.(input, found);
  if ([found.before, planned].some((facts) => bytesOf(facts) > factsBytesLimit)) {
    throw new Rejection('invalid', { message: 'The change is too large to be recorded: change less at once.' });
  }
  return { input, by, found, planned };
}

/** The values before an act and, as far as they are known in advance, after it. */
export interface Preview {
  readonly before: Facts | undefined;
  readonly after: Facts | undefined;
}

/** Returns what an act would change, without performing it. @throws {Rejection} */
export async function previewAct<Needs extends ActNeeds, Schema extends z.ZodType, State, Result extends object>(
  needs: Needs,
  act: Act<Needs, Schema, State, Result>,
  request: ActRequest,
): Promise<Preview> {
  const { found, planned } = await prepare(needs, act, request);
  return { before: found.before, after: planned };
}

/** An entry in the log, as it is before the act is performed. */
function entryOf(
  actId: string,
  act: string,
  { operator, requestId }: ActRequest,
  { by, found, planned }: Prepared<unknown, unknown>,
): ActEntry {
  const { of, subject, before } = found;
  return {
    actId,
    at: by.at,
    act,
    operatorId: operator.id,
    operatorName: operator.name,
    role: operator.role,
    reason: by.reason,
    ...(requestId !== undefined && { requestId }),
    ...(of !== undefined && { of }),
    subject,
    state: 'begun',
    ...(before && { before }),
    ...(planned && { after: planned }),
  };
}

const failureOf = (error: unknown) =>
  ({ state: 'failed', code: error instanceof Rejection ? error.kind : 'internal' }) as const;

/** Records that an act with one write has failed, unless that write has been committed after all, with its entry. */
async function recordFailure(table: Table, { after: _planned, ...entry }: ActEntry, error: unknown): Promise<void> {
  await table.transact(appendEntry({ ...entry, ...failureOf(error) })).catch((failure: unknown) => {
    if (!(failure instanceof TransactionCanceled)) throw failure;
  });
}

type Perform<Result> = (recording: (after?: Facts) => Table) => Promise<Result>;

async function performAtOnce<Result>(
  table: Table,
  entry: ActEntry,
  claim: ReturnType<typeof claimActKey>,
  perform: Perform<Result>,
): Promise<Performed<Result>> {
  let done: ActEntry = { ...entry, state: 'done' };
  const recording = (after = entry.after) => {
    done = { ...done, ...(after && { after }) };
    return committing(table, [...appendEntry(done), ...claim]);
  };
  try {
    const result = await perform(recording);
    return { entry: done, result };
  } catch (error) {
    if (!(error instanceof AlreadyRecorded)) await recordFailure(table, entry, error);
    throw error;
  }
}

async function performInSteps<Result>(
  table: Table,
  entry: ActEntry,
  claim: ReturnType<typeof claimActKey>,
  { perform, changed }: { perform: Perform<Result>; changed: ((result: Result) => Facts) | undefined },
): Promise<Performed<Result>> {
  await committing(table, claim).transact(appendEntry(entry));
  const unavailable = () => {
    throw new Error('an act in steps is recorded before and after them');
  };
  let result: Result;
  try {
    result = await perform(unavailable);
  } catch (error) {
    const [cause, after] = error instanceof FailedHalfWay ? [error.cause, error.changed] : [error, undefined];
    await table.transact(appendEnd(entry, { ...failureOf(cause), ...(after && { after }) }));
    throw cause;
  }
  const after = changed?.(result);
  const end = { state: 'done', ...(after && { after }) } as const;
  await table.transact(appendEnd(entry, end));
  return { entry: { ...entry, ...end }, result };
}

/**
 * Performs an act and records it exactly once, even if the process crashes at any moment. @throws {Rejection}
 * forbidden, invalid, other-body, and those of the act
 */
export async function performAct<Needs extends ActNeeds, Schema extends z.ZodType, State, Result extends object>(
  needs: Needs,
  act: Act<Needs, Schema, State, Result>,
  request: ActRequest,
): Promise<Performed<Result>> {
  const { clock, ids, table } = needs;
  const earlier = async () => {
    const actId = await actOfKey(table, act.name, request, clock.now());
    return actId === undefined ? undefined : actLog(table).find(actId);
  };
  const known = await earlier();
  if (known) return { entry: known };
  const prepared = await prepare(needs, act, request);
  const entry = entryOf(ids.next(), act.name, request, prepared);
  const claim = claimActKey(act.name, request, entry.actId, clock.now());
  const { by, found, input } = prepared;
  const perform: Perform<Result> = (recording) =>
    act.perform(needs, input, { ...by, found, actId: entry.actId, recording });
  try {
    if (act.commits === 'at-once') return await performAtOnce(table, entry, claim, perform);
    return await performInSteps(table, entry, claim, { perform, changed: act.changed });
  } catch (error) {
    // Another request with the same key was performed first.
    const other = error instanceof AlreadyRecorded ? await earlier() : undefined;
    if (other) return { entry: other };
    throw error;
  }
}
