/** Creates a task: chooses its route, and commits it with all that it changes. */
import type { EngineChoice } from '../../catalog/engine-choice.ts';
import { testEstimate, testRoute } from '../../catalog/test-route.ts';
import type { GenerationContract } from '../../contracts/generation-contract.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { EngineRoute } from '../../engines/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import { type EnginePrices, pricesOfJobs } from '../catalog/engine-prices-row.ts';
import { type Idempotency, Replay } from '../idempotency/idempotency.ts';
import { scopeOf } from '../idempotency/idempotency-store.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { pollAfterSeconds } from '../tasks/polling-hint.ts';
import { deadlineOf, type Task } from '../tasks/task.ts';
import type { VideoPromise } from '../tasks/video-promise.ts';
import { isTestAccount } from '../test-account.ts';
import { monthAt } from '../tokens/spending.ts';
import { chooseRoute, type RouteChoice } from './choose-route.ts';
import { type AcceptedTask, commitTask } from './commit-task.ts';
import type { Inspection } from './inspection.ts';
import { exceedsCap, rejectionOf } from './shortage-rejection.ts';
import { unsupportedFields } from './unsupported-fields.ts';

export interface GenerationRequest<Body> {
  readonly body: Body & { readonly callbackUrl?: string | undefined };
  readonly headers: { readonly 'x-client-reference'?: string | undefined; readonly 'x-dry-run'?: string | undefined };
  readonly actor: {
    readonly accountId: string;
    /** Absent if the owner of the account asks, in the dashboard. */
    readonly tokenId?: string | undefined;
    readonly monthlyCreditCap?: number | undefined;
  };
  readonly idempotency: Idempotency | undefined;
  readonly requestId: string;
  readonly retryAfter: (seconds: number) => void;
}

export type AnyRequest = GenerationRequest<Readonly<Record<string, unknown>>>;

export interface CreationNeeds extends Pick<Stores, 'circuits' | 'idempotency' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What a task is created from, besides its request and route. */
export interface Order {
  readonly contract: GenerationContract;
  readonly taskType: TaskType;
  readonly cost: number;
  readonly choice: EngineChoice;
  readonly routes: readonly EngineRoute[];
  readonly inspected: unknown;
  readonly files: Inspection['files'];
  readonly promise: VideoPromise | undefined;
  readonly enginePrices: EnginePrices;
}

/**
 * Finds the stored response of a repeated request before the inputs are inspected, so that they are not downloaded
 * again. Concurrent repeats are detected by the commit.
 */
export async function findReplay(
  { actor: { accountId }, idempotency }: AnyRequest,
  { clock, idempotency: responses }: Pick<CreationNeeds, 'clock' | 'idempotency'>,
  { operationId }: GenerationContract,
): Promise<Replay | undefined> {
  if (!idempotency) return undefined;
  const stored = await responses.find(scopeOf(accountId, operationId, idempotency), clock.now());
  return stored && new Replay(stored);
}

const engineUnavailable = (retryAfterSeconds: number) =>
  new Rejection('engine-unavailable', { message: 'The engine is currently unavailable.', retryAfterSeconds });

/** The route for a task. @throws {Rejection} invalid, generation-failed, engine-unavailable */
export async function routeFor(
  { actor, headers, ...request }: AnyRequest,
  needs: Pick<CreationNeeds, 'circuits' | 'clock'>,
  { routes, inspected, files }: Pick<Order, 'routes' | 'inspected' | 'files'>,
): Promise<Extract<RouteChoice, { status: 'chosen' }>> {
  if (isTestAccount(actor.accountId)) {
    const { chooseTestRoute } = await import('./choose-test-route.ts');
    const clientReference = headers['x-client-reference'];
    return { status: 'chosen', route: chooseTestRoute({ body: request.body, clientReference }) };
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
      return chosen;
    case 'unsupported':
      throw new Rejection('invalid', { message: unsupportedFields(routes, { body, files }).join('; ') });
    default:
      throw engineUnavailable(chosen.retryAfterSeconds);
  }
}

async function newTask(
  { actor, body, headers }: AnyRequest,
  { circuits, clock, ids }: CreationNeeds,
  order: Order,
  route: EngineRoute,
): Promise<Task> {
  const { contract, taskType, cost, choice, inspected, files, promise, enginePrices } = order;
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
    ...(route !== testRoute && {
      creditMicros: enginePrices.creditMicros,
      enginePrices: pricesOfJobs(enginePrices, route.id),
    }),
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

const acceptedOf = (
  { taskId }: Task,
  { acceptedIds = [] }: GenerationContract,
  { ids }: CreationNeeds,
): AcceptedTask => ({
  taskId,
  status: 'queued',
  ...Object.fromEntries(acceptedIds.map((name) => [name, ids.next()])),
});

/** Creates the task on its route; undefined if another request changed the route's half-open circuit first. */
async function tryToCreate(
  request: AnyRequest,
  needs: CreationNeeds,
  order: Order,
): Promise<AcceptedTask | Replay | undefined> {
  const { route, claimed } = await routeFor(request, needs, order);
  const task = await newTask(request, needs, order, route);
  const accepted = acceptedOf(task, order.contract, needs);
  const { actor, idempotency, requestId } = request;
  const cap = actor.monthlyCreditCap;
  const claim = claimed && needs.circuits.claim(route.id, claimed);
  const created = { task, accepted, idempotency, requestId, cap, claim };
  const outcome = await commitTask(needs, order.contract, created);
  switch (outcome.status) {
    case 'made':
      request.retryAfter(pollAfterSeconds(task, task.createdAt));
      return accepted;
    case 'known':
      return new Replay(outcome.response);
    case 'capped':
      throw exceedsCap(task.cost, cap, outcome.spent);
    case 'overtaken':
      await needs.circuits.correct(route.id, outcome.found);
      return undefined;
    default:
      throw rejectionOf(
        outcome.shortage,
        { cost: task.cost, feature: order.contract.feature, now: task.createdAt },
        outcome.account,
      );
  }
}

/** How often other requests may change a half-open circuit before this one is rejected. */
const claimTries = 5;

/**
 * Creates a task. A repeated request gets its stored response even if the circuit of its route is open by now: the task
 * of the first request may have been the probe.
 */
export async function createTask(
  request: AnyRequest,
  needs: CreationNeeds,
  order: Order,
): Promise<AcceptedTask | Replay> {
  try {
    for (let tries = 0; tries < claimTries; tries += 1) {
      const created = await tryToCreate(request, needs, order);
      if (created) return created;
    }
    throw engineUnavailable(1);
  } catch (error) {
    const isUnavailable = error instanceof Rejection && error.kind === 'engine-unavailable';
    const replay = isUnavailable ? await findReplay(request, needs, order.contract) : undefined;
    if (!replay) throw error;
    return replay;
  }
}
