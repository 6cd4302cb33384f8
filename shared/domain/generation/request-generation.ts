/** What every generation operation does with a request: checks, one transaction, start of the workflow. */

import type { Logger } from '@aws-lambda-powertools/logger';
import type { EngineChoice } from '../../catalog/engine-choice.ts';
import { routesOf } from '../../catalog/engines.ts';
import type { Prices } from '../../catalog/prices.ts';
import { testEstimate, testRoute } from '../../catalog/test-route.ts';
import { type GenerationContract, isPricedByFile } from '../../contracts/generation-contract.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import { addressesIn } from '../../contracts/user-addresses.ts';
import type { EngineRoute } from '../../engines/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Account } from '../accounts/account.ts';
import { shortageOf } from '../accounts/account-store.ts';
import { longResultLimitOf } from '../accounts/long-results.ts';
import { fillTestPurse, missingAccount } from '../accounts/test-purse.ts';
import { pricesRow } from '../catalog/prices-row.ts';
import { requireAvailable } from '../catalog/require-available.ts';
import { routesRow } from '../catalog/routes-row.ts';
import { accountInputs, type InputNeeds } from '../files/account-inputs.ts';
import { type Idempotency, Replay } from '../idempotency/idempotency.ts';
import { scopeOf } from '../idempotency/idempotency-store.ts';
import { checkAddresses } from '../media/check-addresses.ts';
import { metricsFor, type ServiceMetrics } from '../metrics.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { pollAfterSeconds } from '../tasks/polling-hint.ts';
import { startTask } from '../tasks/start-task.ts';
import { deadlineOf, type Task } from '../tasks/task.ts';
import type { VideoPromise } from '../tasks/video-promise.ts';
import { isTestAccount } from '../test-account.ts';
import { findSpent, monthAt } from '../tokens/spending.ts';
import { chooseRoute } from './choose-route.ts';
import { type AcceptedTask, commitTask, debitOf } from './commit-task.ts';
import type { Inspection } from './inspection.ts';
import { exceedsCap, rejectionOf } from './shortage-rejection.ts';
import { unsupportedFields } from './unsupported-fields.ts';

interface GenerationRequest<Body> {
  readonly body: Body & { readonly callbackUrl?: string | undefined };
  readonly headers: { readonly 'x-client-reference'?: string | undefined; readonly 'x-dry-run'?: string | undefined };
  readonly actor: {
    readonly accountId: string;
    /** Absent if the owner of the account asks, in the dashboard. */
    readonly tokenId?: string | undefined;
    readonly monthlyCreditCap?: number | undefined;
  };
  readonly idempotency: Idempotency | undefined;
  readonly retryAfter: (seconds: number) => void;
}

type AnyRequest = GenerationRequest<Readonly<Record<string, unknown>>>;

interface Needs
  extends Pick<Stores, 'accounts' | 'catalog' | 'circuits' | 'idempotency' | 'table'>,
    Pick<Inspection, 'avatars' | 'products' | 'measuring' | 'videoResolver'>,
    Pick<InputNeeds, 'files' | 'storedObjects'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly outbound: Outbound;
  readonly settings: Pick<Settings, 'apiUrl' | 'resultsUrl'>;
  readonly workflow: Workflow;
}

interface Given<Body, Inspected> {
  readonly body: Body;
  readonly inspected: Inspected;
}

/** What the function of a generation operation supplies; its contract declares the rest. */
export interface GenerationRules<Body, Inspected> {
  /** Determines facts about the inputs that the price or the engine depends on. @throws {Rejection} invalid */
  readonly inspect?: (body: Body, inspection: Inspection) => Promise<Inspected>;
  /** The cost in whole credits, at current prices. */
  readonly cost: (
    given: Given<Body, Inspected> & { readonly prices: Prices } & Pick<Stores, 'catalog'>,
  ) => number | Promise<number>;
  /** The video that the price pays for; the task fails if its engine makes another one. */
  readonly promises?: (given: Given<Body, Inspected>) => VideoPromise;
}

/** The account of the request. The purse of a test account is filled up first if it is due. */
async function accountOf({ actor: { accountId } }: AnyRequest, needs: Needs): Promise<Account> {
  const { accounts, clock } = needs;
  const account = await (isTestAccount(accountId)
    ? fillTestPurse(needs, accountId, clock.now())
    : accounts.find(accountId));
  if (!account) throw missingAccount(accountId);
  return account;
}

/**
 * Finds the stored response of a repeated request before the inputs are inspected, so that they are not downloaded
 * again. Concurrent repeats are detected by the commit.
 */
async function findReplay(
  { actor: { accountId }, idempotency }: AnyRequest,
  { clock, idempotency: responses }: Needs,
  { operationId }: GenerationContract,
): Promise<Replay | undefined> {
  if (!idempotency) return undefined;
  const stored = await responses.find(scopeOf(accountId, operationId, idempotency), clock.now());
  return stored && new Replay(stored);
}

async function routeFor(
  { actor, headers, ...request }: AnyRequest,
  needs: Needs,
  { routes, inspected, files }: Pick<Order, 'routes' | 'inspected' | 'files'>,
): Promise<EngineRoute> {
  if (isTestAccount(actor.accountId)) {
    const { chooseTestRoute } = await import('./choose-test-route.ts');
    return chooseTestRoute({ body: request.body, clientReference: headers['x-client-reference'] });
  }
  // An inspected value replaces the field of the same name.
  const body = { ...request.body, ...(inspected as Readonly<Record<string, unknown>> | undefined) };
  if (routes.length === 0) {
    const message = 'The generation could not be started: no engine is configured for this operation.';
    throw new Rejection('generation-failed', { message });
  }
  const chosen = await chooseRoute(needs, routes, { body, files }, actor.accountId);
  switch (chosen.status) {
    case 'chosen':
      return chosen.route;
    case 'unsupported':
      throw new Rejection('invalid', { message: unsupportedFields(routes, { body, files }).join('; ') });
    default: {
      const { retryAfterSeconds } = chosen;
      throw new Rejection('engine-unavailable', { message: 'The engine is currently unavailable.', retryAfterSeconds });
    }
  }
}

async function dryRun(request: AnyRequest, needs: Needs, contract: GenerationContract, cost: number) {
  const { feature, operationId } = contract;
  const { tokenId, monthlyCreditCap: cap } = request.actor;
  const now = needs.clock.now();
  const [account, spent] = await Promise.all([
    accountOf(request, needs),
    cap === undefined || tokenId === undefined ? 0 : findSpent(needs.table, tokenId, monthAt(now)),
  ]);
  const shortage = shortageOf(account, debitOf(contract, account.accountId, cost, now));
  if (shortage) throw rejectionOf(shortage, { cost, feature, now }, account);
  if (cap !== undefined && spent + cost > cap) throw exceedsCap(cost, cap, spent);
  return { cost, balance: account.balance, operation: operationId };
}

/** What a task is created from, besides its request and route. */
interface Order {
  readonly contract: GenerationContract;
  readonly taskType: TaskType;
  readonly cost: number;
  readonly choice: EngineChoice;
  readonly routes: readonly EngineRoute[];
  readonly inspected: unknown;
  readonly files: Inspection['files'];
  readonly promise: VideoPromise | undefined;
}

async function newTask(
  { actor, body, headers }: AnyRequest,
  { circuits, clock, ids }: Needs,
  order: Order,
  route: EngineRoute,
): Promise<Task> {
  const { contract, taskType, cost, choice, inspected, files, promise } = order;
  const { callbackUrl, ...input } = body;
  const clientReference = headers['x-client-reference'];
  const createdAt = clock.now();
  const estimate = route === testRoute ? testEstimate : await circuits.estimate({ route: route.id, taskType });
  const measuredSeconds = Object.fromEntries(
    [...files].flatMap(([field, { durationSec }]) => (durationSec === undefined ? [] : [[field, durationSec]])),
  );
  return {
    taskId: ids.next(),
    accountId: actor.accountId,
    taskType,
    status: 'pending',
    progress: 0,
    cost,
    input,
    engine: route.engine,
    route: route.id,
    ...(actor.tokenId !== undefined && { tokenId: actor.tokenId }),
    ...(inspected !== undefined && { derived: inspected as Readonly<Record<string, unknown>> }),
    ...(Object.keys(measuredSeconds).length > 0 && { measuredSeconds }),
    ...(promise && { promise }),
    ...(contract.creates === 'influencer' && { influencerId: ids.next() }),
    ...(estimate && { estimate }),
    ...(actor.monthlyCreditCap !== undefined && { cappedMonth: monthAt(createdAt) }),
    createdAt,
    deadlineAt: deadlineOf({ ...contract, ...choice }, createdAt),
    resultsSecret: ids.secret(16),
    ...(callbackUrl !== undefined && { callbackUrl, webhookStatus: 'pending', webhookFrom: 1 }),
    ...(clientReference !== undefined && { clientReference }),
  };
}

const acceptedOf = ({ taskId }: Task, { acceptedIds = [] }: GenerationContract, { ids }: Needs): AcceptedTask => ({
  taskId,
  status: 'queued',
  ...Object.fromEntries(acceptedIds.map((name) => [name, ids.next()])),
});

const inspectionOf = (
  { avatars, catalog, products, settings, measuring, videoResolver }: Needs,
  given: Pick<Inspection, 'accountId' | 'addresses' | 'files' | 'outbound' | 'routes'>,
): Inspection => ({ avatars, catalog, products, settings, measuring, videoResolver, ...given });

async function create(request: AnyRequest, needs: Needs, order: Order): Promise<AcceptedTask | Replay> {
  const task = await newTask(request, needs, order, await routeFor(request, needs, order));
  const accepted = acceptedOf(task, order.contract, needs);
  const { actor, idempotency } = request;
  const cap = actor.monthlyCreditCap;
  const outcome = await commitTask(needs, order.contract, { task, accepted, idempotency, cap });
  switch (outcome.status) {
    case 'made':
      request.retryAfter(pollAfterSeconds(task, task.createdAt));
      return accepted;
    case 'known':
      return new Replay(outcome.response);
    case 'capped':
      throw exceedsCap(task.cost, cap, outcome.spent);
    default:
      throw rejectionOf(
        outcome.shortage,
        { cost: task.cost, feature: order.contract.feature, now: task.createdAt },
        outcome.account,
      );
  }
}

/**
 * Creates a task; a dry run returns its cost and has no effect. @throws {Rejection} switched-off, forbidden, invalid,
 * generation-failed, engine-unavailable, insufficient-credits, too-many-tasks, rate-limited
 */
export async function requestGeneration<Body extends Readonly<Record<string, unknown>>, Inspected>(
  request: GenerationRequest<Body>,
  needs: Needs,
  contract: GenerationContract,
  { inspect, cost: costOf, promises }: GenerationRules<Body, Inspected>,
) {
  const { operationId, taskType, body: schema } = contract;
  // The catalog and the circuits are read concurrently; both are cached, so this seldom costs a round trip.
  const [engines, prices] = await Promise.all([
    needs.catalog.read(routesRow),
    needs.catalog.read(pricesRow),
    needs.circuits.read(),
  ]);
  // Availability is checked before any input is downloaded; the transaction checks the feature again.
  await requireAvailable(needs, contract, request.actor.accountId);
  const { body } = request;
  const addresses = [...addressesIn(schema, body)];
  const inputs = accountInputs(needs, request.actor.accountId);
  const isLimited = isPricedByFile(contract);
  const [replay, account] = await Promise.all([
    inspect && findReplay(request, needs, contract),
    isLimited ? accountOf(request, needs) : undefined,
    checkAddresses(needs, addresses, inputs),
  ]);
  if (replay) return replay;
  // The transaction checks the limits again; here, this saves measuring the files of an account that has reached one.
  const now = needs.clock.now();
  const limit = account && longResultLimitOf(account, now);
  if (limit) throw rejectionOf(limit, { cost: 0, feature: contract.feature, now }, account);
  const files: Inspection['files'] = new Map();
  const choice = engines[taskType];
  const routes = isTestAccount(request.actor.accountId) ? [testRoute] : routesOf(choice, taskType);
  const given = { accountId: request.actor.accountId, outbound: inputs, addresses, routes, files };
  const inspected = (await inspect?.(body, inspectionOf(needs, given))) as Inspected;
  const cost = await costOf({ body, inspected, prices, catalog: needs.catalog });
  const promise = promises?.({ body, inspected });
  const order = { contract, taskType, cost, choice, routes, inspected, files, promise };
  if (request.headers['x-dry-run'] === 'true') {
    await routeFor(request, needs, order);
    return dryRun(request, needs, contract, cost);
  }
  const created = await create(request, needs, order);
  if (created instanceof Replay) return created;
  metricsFor(needs.metrics, request.actor.accountId).record(
    { TasksStarted: 1, CreditsDebited: cost },
    { operation: operationId },
  );
  await startTask(needs, created.taskId);
  return created;
}
