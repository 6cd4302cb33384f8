/** What every generation operation does with its request: checks, one transaction, start. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { EngineChoice, EngineRoute } from '../../catalog/engine-choice.ts';
import type { Prices } from '../../catalog/prices.ts';
import { urlExpectation } from '../../contracts/fields.ts';
import { generationOf, type TaskType } from '../../contracts/generate.ts';
import { addressesIn, pathText } from '../../contracts/user-addresses.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Workflow } from '../../platform/workflow.ts';
import { type Account, simultaneousTasks } from '../accounts/account.ts';
import { type Shortage, shortageOf } from '../accounts/account-store.ts';
import { type Idempotency, Replay } from '../idempotency/idempotency.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { startTask } from '../tasks/start-task.ts';
import { deadlineOf, type Task } from '../tasks/task.ts';
import { chooseRoute } from './choose-route.ts';
import { answerFor, commitTask } from './commit-task.ts';

interface GenerationRequest {
  readonly body: { readonly callbackUrl?: string | undefined };
  readonly headers: { readonly 'x-client-reference'?: string | undefined; readonly 'x-dry-run'?: string | undefined };
  readonly actor: { readonly accountId: string; readonly tokenId: string };
  readonly idempotency: Idempotency | undefined;
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
  /** What is to be found out about the inputs before anything is charged; refuses what may not be used. */
  readonly derive?: () => Promise<Readonly<Record<string, unknown>>>;
  /** Whether the task makes something that is kept beyond it, and has an id of its own. */
  readonly makesInfluencer?: boolean;
}

/** How soon it makes sense to ask for a slot again: most tasks take a few seconds at least. */
const slotRetrySeconds = 5;

function rejectionOf(shortage: Shortage, cost: number, { balance }: Account): Rejection {
  if (shortage === 'balance') {
    return new Rejection('insufficient-credits', {
      message: `The cost is ${cost} and the balance ${balance} credits.`,
    });
  }
  return new Rejection('too-many-tasks', {
    message: `The account already has ${simultaneousTasks} open tasks.`,
    retryAfterSeconds: slotRetrySeconds,
  });
}

/** Refuses every address of the body that leads to a private host, by what names resolve to now. */
async function checkAddresses(
  { body }: GenerationRequest,
  { outbound }: Needs,
  schema: Parameters<typeof addressesIn>[0],
): Promise<void> {
  const addresses = [...addressesIn(schema, body)];
  const admitted = await Promise.all(addresses.map(({ text }) => outbound.admits(text)));
  const problems = addresses
    .filter((_, index) => !admitted[index])
    .map(({ path }) => `${pathText(path)} ${urlExpectation}, and must not resolve to a private address`);
  if (problems.length > 0) throw new Rejection('invalid', { message: problems.join('; ') });
}

async function routeFor(
  { actor, body }: GenerationRequest,
  needs: Needs,
  { choice: { routes }, taskType }: Pick<Order, 'choice' | 'taskType'>,
): Promise<EngineRoute> {
  const chosen = await chooseRoute(needs, routes, body, { taskType, accountId: actor.accountId });
  switch (chosen.status) {
    case 'chosen':
      return chosen.route;
    case 'unsupported': {
      const message = 'No available engine supports this combination of fields.';
      throw new Rejection('engine-unavailable', { message });
    }
    default: {
      const { retryAfterSeconds } = chosen;
      throw new Rejection('engine-unavailable', { message: 'The engine is currently unavailable.', retryAfterSeconds });
    }
  }
}

async function dryRun(request: GenerationRequest, { accounts }: Needs, operation: string, cost: number) {
  const account = await accounts.find(request.actor.accountId);
  if (!account) throw new Error('token references a missing account');
  const shortage = shortageOf(account, cost);
  if (shortage) throw rejectionOf(shortage, cost, account);
  return { cost, balance: account.balance, operation };
}

/** What a task is made of beside its request and route. */
interface Order {
  readonly taskType: TaskType;
  readonly cost: number;
  readonly choice: EngineChoice;
  readonly derived: Readonly<Record<string, unknown>> | undefined;
  readonly makesInfluencer: boolean;
}

function newTask(
  { actor, body, headers }: GenerationRequest,
  { clock, ids }: Needs,
  order: Order,
  route: EngineRoute,
): Task {
  const { taskType, cost, choice, derived, makesInfluencer } = order;
  const { callbackUrl, ...input } = body;
  const clientReference = headers['x-client-reference'];
  const createdAt = clock.now();
  return {
    taskId: ids.next(),
    accountId: actor.accountId,
    tokenId: actor.tokenId,
    taskType,
    status: 'pending',
    progress: 0,
    cost,
    input,
    engine: route.engine,
    ...(route.model !== undefined && { model: route.model }),
    ...(route.input !== undefined && { engineInput: route.input }),
    ...(derived && { derived }),
    ...(makesInfluencer && { influencerId: ids.next() }),
    createdAt,
    deadlineAt: deadlineOf(taskType, createdAt, choice.timeLimitSeconds),
    resultsSecret: ids.secret(16),
    ...(callbackUrl !== undefined && { callbackUrl, webhookStatus: 'pending', webhookFrom: 1 }),
    ...(clientReference !== undefined && { clientReference }),
  };
}

async function make(request: GenerationRequest, needs: Needs, order: Order): Promise<Task | Replay> {
  const task = newTask(request, needs, order, await routeFor(request, needs, order));
  const outcome = await commitTask(needs, task, request.idempotency);
  switch (outcome.status) {
    case 'made':
      return task;
    case 'known':
      return new Replay(outcome.response);
    default:
      throw rejectionOf(outcome.shortage, task.cost, outcome.account);
  }
}

/** Creates a task and answers for it; a dry run says what it would cost and leaves nothing behind. */
export async function requestGeneration(
  request: GenerationRequest,
  needs: Needs,
  { taskType, cost: costAt, derive, makesInfluencer = false }: Generation,
) {
  const { operationId, body: schema } = generationOf(taskType);
  // Both are kept for a while: read together, they cost a trip now and then.
  const [{ engines, prices, switchedOff }] = await Promise.all([needs.catalog.read(), needs.circuits.read()]);
  if (switchedOff.has(operationId)) throw new Rejection('switched-off', { message: 'The operation is switched off.' });
  await checkAddresses(request, needs, schema);
  const derived = await derive?.();

  const [choice, cost] = [engines[taskType], costAt(prices)];
  if (request.headers['x-dry-run'] === 'true') {
    await routeFor(request, needs, { choice, taskType });
    return dryRun(request, needs, operationId, cost);
  }
  const task = await make(request, needs, { taskType, cost, choice, derived, makesInfluencer });
  if (task instanceof Replay) return task;
  needs.metrics.record({ TasksStarted: 1, CreditsDebited: cost }, { operation: operationId });
  await startTask(needs, task.taskId);
  return answerFor(task);
}
