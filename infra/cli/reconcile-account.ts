/** Corrects an account in which the audit found drift: its balance from the ledger, its slots from the open tasks. */

import { accountKey } from '../../shared/domain/keys.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import { ConditionFailed } from '../../shared/platform/dynamo-table.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import type { Service } from './service.ts';

export interface Reconciled {
  readonly accountId: string;
  readonly balanceBefore: number;
  readonly balance: number;
  /** Ids of tasks that held a slot although they have ended. */
  readonly slotsFreed: readonly string[];
}

const inMotion = (accountId: string) =>
  commandFailed(`Account ${accountId} changed in the meantime and was not modified: try again.`);

async function slotsOfEnded({ tasks }: Service, openTasks: readonly string[]): Promise<string[]> {
  const held = await Promise.all(openTasks.map(async (taskId) => ({ taskId, task: await tasks.find(taskId) })));
  return held.filter(({ task }) => !task || isTerminal(task)).map(({ taskId }) => taskId);
}

/** Writes nothing if there is no drift. @throws {ExitError} if the account keeps changing or owes credits. */
export async function reconcileAccount(service: Service, accountId: string): Promise<Reconciled> {
  const { ledger, table } = service;
  const sumBefore = await ledger.sum(accountId);
  const { balance: balanceBefore, openTasks } = await findAccount(service, accountId);
  const slotsFreed = await slotsOfEnded(service, openTasks);
  const balance = await ledger.sum(accountId);
  // Two equal sums around an unchanged balance: everything compared belongs to the same moment.
  if (balance !== sumBefore) throw inMotion(accountId);
  if (balance < 0) {
    throw commandFailed(
      `The ledger of account ${accountId} adds up to ${balance}: grant the missing credits, then try again.`,
    );
  }
  const result = { accountId, balanceBefore, balance, slotsFreed };
  if (balance === balanceBefore && slotsFreed.length === 0) return result;
  try {
    await table.update({
      Key: accountKey(accountId),
      UpdateExpression: `SET balance = :sum${slotsFreed.length > 0 ? ' DELETE openTasks :ended' : ''}`,
      ConditionExpression: 'balance = :before',
      ExpressionAttributeValues: {
        ':sum': balance,
        ':before': balanceBefore,
        ...(slotsFreed.length > 0 && { ':ended': new Set(slotsFreed) }),
      },
    });
  } catch (error) {
    throw error instanceof ConditionFailed ? inMotion(accountId) : error;
  }
  return result;
}
