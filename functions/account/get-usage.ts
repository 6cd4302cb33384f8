import { usageDays } from '../../shared/contracts/limits.ts';
import { isTaskType } from '../../shared/contracts/task-types.ts';
import { usageContracts } from '../../shared/contracts/usage.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { reportUsage } from '../../shared/domain/usage/report-usage.ts';
import { dayAt, daysBetween } from '../../shared/domain/usage/usage.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const dayMs = 24 * 3_600_000;
const daysByDefault = 30;

/** Returns what the account's tasks cost, by day, task type and token. */
export const getUsage: Operation<'getUsage'> = async ({ actor, fail, query, retryAfter }, context) => {
  const { to = dayAt(context.clock.now()) } = query;
  const { from = dayAt(Date.parse(to) - (daysByDefault - 1) * dayMs) } = query;
  const days = daysBetween(from, to).length;
  if (days < 1) fail('VALIDATION_ERROR', { message: 'from must not be after to' });
  if (days > usageDays) fail('VALIDATION_ERROR', { message: `from must be at most ${usageDays - 1} days before to` });
  if (from < dayAt(context.clock.now() - usageDays * dayMs)) {
    fail('VALIDATION_ERROR', { message: `from must be at most ${usageDays} days ago` });
  }
  const { isComplete, usage } = await reportUsage(context, actor.accountId, { from, to });
  if (!isComplete) retryAfter(1);
  const kind = { kind: 'usage', idOf: ({ day, tokenId = '-' }: (typeof usage)[number]) => `${day} ${tokenId}` };
  const entries = readable(context.table, kind, usage, ({ taskType, tokenId = null, ...entry }) => {
    if (!isTaskType(taskType)) throw new Error(`the ledger names an unknown task type: ${taskType}`);
    return { ...entry, taskType, tokenId };
  });
  return { from, to, isComplete, usage: entries };
};

export const definition = sharedLambda(usageContracts.getUsage, getUsage);
