/**
 * The row in which a task's waiting workflow and its outcome meet, whichever comes first: the one leaves its token,
 * the other what became of the job, and whoever comes second tells the workflow.
 */
import type { Outcome } from '../../contracts/workflow.ts';
import type { EngineAcceptance } from '../../engines/engine.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { callbackKey } from '../keys.ts';

export interface CallbackRow {
  /** The latest attempt's task token. */
  readonly token?: string;
  /** The engine's name for the job, once it accepted it. */
  readonly reference?: string;
  /** Whether the engine calls back, or must be asked. */
  readonly reports?: EngineAcceptance['reports'];
  readonly outcome?: Outcome;
}

export interface CallbackStore {
  find(taskId: string): Promise<CallbackRow>;
  holdToken(taskId: string, token: string, now: number): Promise<CallbackRow>;
  holdAcceptance(taskId: string, acceptance: EngineAcceptance): Promise<CallbackRow>;
  /** Forgets a job that its engine lost. */
  dropReference(taskId: string): Promise<CallbackRow>;
  /** The first outcome stands, however many are told. */
  holdOutcome(taskId: string, outcome: Outcome, now: number): Promise<CallbackRow>;
}

/** Rows outlive their task's deadline by far, for callbacks that come late. */
const keptSeconds = 7 * 24 * 3600;

const expiry = (now: number): number => Math.floor(now / 1000) + keptSeconds;

const toRow = (item: Item): CallbackRow => ({
  ...(item.token !== undefined && { token: item.token as string }),
  ...(item.reference !== undefined && { reference: item.reference as string }),
  ...(item.reports !== undefined && { reports: item.reports as EngineAcceptance['reports'] }),
  ...(item.outcome !== undefined && { outcome: item.outcome as Outcome }),
});

export function callbackStore(table: Table): CallbackStore {
  const change = async (taskId: string, expression: string, names: string[], values?: Item): Promise<CallbackRow> =>
    toRow(
      await table.update({
        Key: callbackKey(taskId),
        UpdateExpression: expression,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ...(values && { ExpressionAttributeValues: values }),
        ReturnValues: 'ALL_NEW',
      }),
    );

  return {
    async find(taskId) {
      return toRow((await table.get(callbackKey(taskId))) ?? {});
    },
    holdToken: (taskId, token, now) =>
      change(taskId, 'SET #token = :token, #expiresAt = :expiry', ['token', 'expiresAt'], {
        ':token': token,
        ':expiry': expiry(now),
      }),
    holdAcceptance: (taskId, { reference, reports }) =>
      change(taskId, 'SET #reference = :reference, #reports = :reports', ['reference', 'reports'], {
        ':reference': reference,
        ':reports': reports,
      }),
    dropReference: (taskId) => change(taskId, 'REMOVE #reference', ['reference']),
    holdOutcome: (taskId, outcome, now) =>
      change(
        taskId,
        'SET #outcome = if_not_exists(#outcome, :outcome), #expiresAt = if_not_exists(#expiresAt, :expiry)',
        ['outcome', 'expiresAt'],
        { ':outcome': outcome, ':expiry': expiry(now) },
      ),
  };
}
