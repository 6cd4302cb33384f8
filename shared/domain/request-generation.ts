/** What every generation operation does with its request: checks, one transaction, start. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { defaultEngines } from '../catalog/engines.ts';
import type { Prices } from '../catalog/prices.ts';
import { successBody } from '../contracts/envelope.ts';
import { urlExpectation } from '../contracts/fields.ts';
import { generationOf, type TaskType } from '../contracts/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { TransactionRefused } from '../platform/dynamo-table.ts';
import type { Ids } from '../platform/ids.ts';
import type { Outbound } from '../platform/outbound.ts';
import type { Workflow } from '../platform/workflow.ts';
import { type Account, simultaneousTasks } from './account.ts';
import { debitAccount, type Shortage, shortageOf, toAccount } from './account-store.ts';
import type { Idempotency, StoredResponse } from './idempotency.ts';
import { storeResponse, toStoredResponse } from './idempotency-store.ts';
import { appendLedgerRow } from './ledger-store.ts';
import type { ServiceMetrics } from './metrics.ts';
import { startTask } from './start-task.ts';
import type { Stores } from './stores.ts';
import { deadlineOf, type Task } from './task.ts';
import { insertTask } from './task-item.ts';

type GenerationFailure = 'VALIDATION_ERROR' | 'PROVIDER_UNAVAILABLE' | 'INSUFFICIENT_CREDITS' | 'MAX_CONCURRENT_TASKS';

type Fail = (code: GenerationFailure, details?: { message?: string; retryAfterSeconds?: number }) => never;

interface GenerationRequest {
  readonly body: { readonly callbackUrl?: string | undefined };
  readonly headers: { readonly 'x-client-reference'?: string | undefined; readonly 'x-dry-run'?: string | undefined };
  readonly caller: { readonly accountId: string; readonly tokenId: string };
  readonly idempotency: Idempotency | undefined;
  readonly fail: Fail;
  readonly replay: (response: StoredResponse) => never;
}

interface Needs extends Stores {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly outbound: Outbound;
  readonly workflow: Workflow;
}

/** What one kind of generation decides: what it makes, and what that costs at the prices in force. */
interface Generation {
  readonly taskType: TaskType;
  readonly cost: (prices: Prices) => number;
}

/** How soon it makes sense to ask for a slot again: most tasks take a few seconds at least. */
const slotRetrySeconds = 5;

function refuseShortage(fail: Fail, shortage: Shortage, cost: number, { balance }: Account): never {
  if (shortage === 'balance') {
    return fail('INSUFFICIENT_CREDITS', { message: `the cost is ${cost} and the balance ${balance} credits` });
  }
  return fail('MAX_CONCURRENT_TASKS', {
    message: `${simultaneousTasks} tasks of the account are already open`,
    retryAfterSeconds: slotRetrySeconds,
  });
}

async function checkCallbackUrl({ body, fail }: GenerationRequest, { outbound }: Needs): Promise<void> {
  if (body.callbackUrl === undefined || (await outbound.admits(body.callbackUrl))) return;
  fail('VALIDATION_ERROR', { message: `callbackUrl ${urlExpectation}, and must not resolve to a private address` });
}

async function dryRun(request: GenerationRequest, { accounts }: Needs, operation: string, cost: number) {
  const account = await accounts.find(request.caller.accountId);
  if (!account) throw new Error('a token without an account');
  const shortage = shortageOf(account, cost);
  if (shortage) refuseShortage(request.fail, shortage, cost, account);
  return { cost, balance: account.balance, operation };
}

function newTask(
  { body, caller, headers }: GenerationRequest,
  { clock, ids }: Needs,
  taskType: TaskType,
  cost: number,
): Task {
  const { callbackUrl, ...input } = body;
  const clientReference = headers['x-client-reference'];
  const createdAt = clock.now();
  return {
    taskId: ids.next(),
    accountId: caller.accountId,
    tokenId: caller.tokenId,
    taskType,
    status: 'pending',
    progress: 0,
    cost,
    input,
    engine: defaultEngines[taskType],
    createdAt,
    deadlineAt: deadlineOf(taskType, createdAt),
    resultsSecret: ids.secret(16),
    ...(callbackUrl !== undefined && { callbackUrl, webhookStatus: 'pending', webhookFrom: 1 }),
    ...(clientReference !== undefined && { clientReference }),
  };
}

/** The transaction that makes a task: its answer for the key, the debit and slot, the task, the ledger row. */
async function commit(request: GenerationRequest, needs: Needs, task: Task, answer: object): Promise<void> {
  const { idempotency } = request;
  const { taskId, accountId, taskType, cost, createdAt } = task;
  const row = {
    id: needs.ids.next(),
    accountId,
    amount: -cost,
    reason: 'generation',
    at: createdAt,
    taskType,
    taskId,
  } as const;
  const { operationId, success } = generationOf(taskType);
  const kept = ({ key, fingerprint }: Idempotency) => {
    const response = { fingerprint, status: success.status, body: successBody(answer), taskId };
    return storeResponse({ accountId, operationId, key }, response, createdAt);
  };
  try {
    await needs.table.transact([
      debitAccount({ accountId, taskId, cost }),
      // Due at once: a start by name can be repeated, and one that was forgotten waits for no more than the sweeper.
      insertTask(task, createdAt),
      appendLedgerRow(row),
      ...(idempotency ? [kept(idempotency)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    // The key outranks the account: a repeat must get its answer even when the balance is gone.
    const [account, , , earlier] = error.failures;
    if (earlier?.item) request.replay(toStoredResponse(earlier.item));
    const found = account?.item && toAccount(account.item);
    const shortage = found && shortageOf(found, cost);
    if (shortage) refuseShortage(request.fail, shortage, cost, found);
    throw error;
  }
}

/** Creates a task and answers for it; a dry run says what it would cost and leaves nothing behind. */
export async function requestGeneration(
  request: GenerationRequest,
  needs: Needs,
  { taskType, cost: costAt }: Generation,
) {
  const { operationId } = generationOf(taskType);
  const { prices, switchedOff } = await needs.catalog.read();
  if (switchedOff.has(operationId)) request.fail('PROVIDER_UNAVAILABLE', { message: 'the operation is switched off' });
  await checkCallbackUrl(request, needs);

  const cost = costAt(prices);
  if (request.headers['x-dry-run'] === 'true') return dryRun(request, needs, operationId, cost);

  const task = newTask(request, needs, taskType, cost);
  const answer = { taskId: task.taskId, status: 'queued' } as const;
  await commit(request, needs, task, answer);
  needs.metrics.record({ TasksStarted: 1, CreditsDebited: cost }, { operation: operationId });
  await startTask(needs, task.taskId);
  return answer;
}
