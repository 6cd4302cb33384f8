import { operateContracts } from '../../shared/contracts/operate.ts';
import { findOperatedTasks } from '../../shared/domain/operator-reads/find-operated-tasks.ts';
import { ownerEmails } from '../../shared/domain/operator-reads/owner-emails.ts';
import { presentOperatedTask } from '../../shared/domain/operator-reads/present-operated-task.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, tasks } from '../../shared/domain/store-ports.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists tasks of an account, or open or failed tasks of all accounts. */
export const listOperatedTasks: OperateOperation<'listOperatedTasks', 'accounts' | 'tasks'> = async (
  { query },
  context,
) => {
  const { clock, settings, table } = context;
  const { next = null, tasks: found } = await findOperatedTasks(context, query, clock.now());
  const { limit, offset } = query;
  const emailOf = await ownerEmails(
    table,
    found.map(({ accountId }) => accountId),
  );
  return {
    tasks: readable(table, { kind: 'task', idOf: ({ taskId }) => taskId }, found, (task) =>
      presentOperatedTask(task, settings, emailOf(task.accountId)),
    ),
    limit,
    offset,
    next,
  };
};

export const definition = operateLambda(operateContracts.listOperatedTasks, listOperatedTasks, { accounts, tasks });
