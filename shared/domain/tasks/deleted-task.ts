/** What remains of a deleted task, and when what late writers store for it is erased. */
import { refusesWebhook } from './refuses-webhook.ts';
import { deliveryCheckMs, type StoredResult, type Task } from './task.ts';

/** A task that its account has deleted. */
export interface DeletedTask extends Task {
  readonly deletion: NonNullable<Task['deletion']>;
}

export const isDeleted = (task: Task): task is DeletedTask => task.deletion !== undefined;

/** What remains only until the webhook of the task has been delivered or abandoned. */
export const owedAttributes = [
  'callbackUrl',
  'clientReference',
  'errorMessage',
  'errorDetail',
  'results',
] as const satisfies readonly (keyof Task)[];

/** The first result, whose URL the webhook contains, without what its engine said about it. */
const announced = ([first]: readonly StoredResult[] = []): readonly StoredResult[] | undefined =>
  first && [{ key: first.key, contentType: first.contentType, bytes: first.bytes }];

function owedOf(task: Task): Partial<Task> {
  const { callbackUrl, clientReference, errorDetail, errorMessage, webhookStatus } = task;
  if (callbackUrl === undefined || webhookStatus !== 'pending') return {};
  // The name of the test case is erased with the text of the task, so a later attempt would send a webhook that the
  // test case refuses.
  if (refusesWebhook(task)) return { webhookStatus: 'failed' };
  const results = announced(task.results);
  return {
    callbackUrl,
    ...(clientReference !== undefined && { clientReference }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(errorDetail !== undefined && { errorDetail }),
    ...(results && { results }),
  };
}

/**
 * The remains of an ended task: ids, times and amounts, and the content of a webhook that is not delivered yet.
 * Attributes are named one by one, so that a new one is erased unless it is added here.
 */
export function remainsOf(task: Task, at: number): DeletedTask {
  const { endedAt, engineCost, errorCode, tokenId, webhookFrom, webhookStatus } = task;
  return {
    taskId: task.taskId,
    accountId: task.accountId,
    taskType: task.taskType,
    status: task.status,
    progress: task.progress,
    cost: task.cost,
    input: {},
    engine: task.engine,
    route: task.route,
    createdAt: task.createdAt,
    deadlineAt: task.deadlineAt,
    resultsSecret: task.resultsSecret,
    deletion: { at, lateWrites: 0 },
    ...(tokenId !== undefined && { tokenId }),
    ...(endedAt !== undefined && { endedAt }),
    ...(engineCost !== undefined && { engineCost }),
    ...(errorCode !== undefined && { errorCode }),
    ...(webhookFrom !== undefined && { webhookFrom }),
    ...(webhookStatus !== undefined && { webhookStatus }),
    ...owedOf(task),
  };
}

/** How long after its deadline a task may still have a writer, including all retries and what an engine writes. */
const lastWriterMs = 3_600_000;

/** When to erase a deleted task again; undefined if nothing can write for it any more. */
export function nextErasureAt({ callbackUrl, deadlineAt, deletion }: DeletedTask, now: number): number | undefined {
  // While a webhook is still to be delivered, the task is erased again later, because what the webhook consists of is
  // still stored.
  if (callbackUrl !== undefined) return now + deliveryCheckMs;
  const last = Math.max(deletion.at, deadlineAt) + lastWriterMs;
  return now < last ? last : undefined;
}

/** How long the remains of a task are stored after its last erasure: as long as its delivery attempts. */
export const remainsKeptSeconds = 30 * 24 * 3600;
