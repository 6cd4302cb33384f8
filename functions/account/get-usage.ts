import { usageDays } from '../../shared/contracts/limits.ts';
import { isTaskType } from '../../shared/contracts/task-types.ts';
import { keysOf, usageContracts } from '../../shared/contracts/usage.ts';
import { computedFrom, readable } from '../../shared/domain/readable-rows.ts';
import { groupUsage } from '../../shared/domain/usage/group-usage.ts';
import { reportUsage } from '../../shared/domain/usage/report-usage.ts';
import { dayAt, daysBetween } from '../../shared/platform/clock.ts';
import { ApiError } from '../../shared/runtime/api-error.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const dayMs = 24 * 3_600_000;
const daysByDefault = 30;
const unfinished = 'There is more to count: repeat the request, which continues where this one ended.';

/** Returns what the account's tasks cost. */
export const getUsage: Operation<'getUsage'> = async ({ actor, fail, query }, context) => {
  const { to = dayAt(context.clock.now()) } = query;
  const { from = dayAt(Date.parse(to) - (daysByDefault - 1) * dayMs) } = query;
  const days = daysBetween(from, to).length;
  if (days < 1) fail('VALIDATION_ERROR', { message: 'from must not be after to' });
  if (days > usageDays) fail('VALIDATION_ERROR', { message: `from must be at most ${usageDays - 1} days before to` });
  if (from < dayAt(context.clock.now() - usageDays * dayMs)) {
    fail('VALIDATION_ERROR', { message: `from must be at most ${usageDays} days ago` });
  }
  const { isComplete, usage } = await reportUsage(context, actor.accountId, { from, to });
  if (!isComplete) throw new ApiError('PROVIDER_UNAVAILABLE', { message: unfinished, retryAfterSeconds: 1 });
  const kind = { kind: 'usage', idOf: ({ day, tokenId = '-' }: (typeof usage)[number]) => `${day} ${tokenId}` };
  const entries = readable(context.table, kind, usage, ({ taskType, tokenId: token = null, ...entry }) => {
    if (!isTaskType(taskType)) throw new Error(`the ledger names an unknown task type: ${taskType}`);
    return { ...entry, taskType, token };
  });
  return { from, to, rows: computedFrom(entries, (rows) => groupUsage(rows, keysOf(query.groupBy))) };
};

export const definition = sharedLambda(usageContracts.getUsage, getUsage);
