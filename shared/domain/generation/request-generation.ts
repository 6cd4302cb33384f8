/** What every generation operation does with a request: checks, one transaction, start of the workflow. */

import type { Logger } from '@aws-lambda-powertools/logger';
import { routesOf } from '../../catalog/engines.ts';
import type { Prices } from '../../catalog/prices.ts';
import { testRoute } from '../../catalog/test-route.ts';
import { type GenerationContract, isPricedByFile } from '../../contracts/generation-contract.ts';
import { addressesIn } from '../../contracts/user-addresses.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Account } from '../accounts/account.ts';
import { shortageOf } from '../accounts/account-store.ts';
import { isCharged } from '../accounts/charged-failures.ts';
import { longResultLimitOf } from '../accounts/long-results.ts';
import { fillTestPurse, missingAccount } from '../accounts/test-purse.ts';
import { type EnginePrices, enginePricesRow, pricesOfJobs } from '../catalog/engine-prices-row.ts';
import { pricesRow } from '../catalog/prices-row.ts';
import { requireAvailable } from '../catalog/require-available.ts';
import { routesRow } from '../catalog/routes-row.ts';
import { accountInputs, type InputNeeds } from '../files/account-inputs.ts';
import { Replay } from '../idempotency/idempotency.ts';
import { checkAddresses } from '../media/check-addresses.ts';
import { metricsFor, type ServiceMetrics } from '../metrics.ts';
import type { Stores } from '../stores.ts';
import { startTask } from '../tasks/start-task.ts';
import type { Task } from '../tasks/task.ts';
import type { VideoPromise } from '../tasks/video-promise.ts';
import { isTestAccount } from '../test-account.ts';
import { findSpent, monthAt } from '../tokens/spending.ts';
import { debitOf } from './commit-task.ts';
import {
  type AnyRequest,
  type CreationNeeds,
  createTask,
  findReplay,
  type GenerationRequest,
  routeFor,
} from './create-task.ts';
import type { Inspection } from './inspection.ts';
import { exceedsCap, rejectionOf } from './shortage-rejection.ts';

interface Needs
  extends CreationNeeds,
    Pick<Stores, 'accounts' | 'catalog'>,
    Pick<Inspection, 'avatars' | 'products' | 'measuring' | 'videoResolver'>,
    Pick<InputNeeds, 'files' | 'storedObjects'> {
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
  /** The lowest price of any request, for operations whose inspection uses what is limited. */
  readonly leastCost?: (prices: Prices) => number;
  /** The cost in whole credits, at current prices. */
  readonly cost: (
    given: Given<Body, Inspected> & { readonly prices: Prices } & Pick<Stores, 'catalog'>,
  ) => number | Promise<number>;
  /** The video that the price pays for; the task fails if its engine makes another one. */
  readonly promises?: (given: Given<Body, Inspected>) => VideoPromise;
}

/** Finds the account of the request. For a test account, its daily credits are topped up first if that is due. */
async function accountOf({ actor: { accountId } }: AnyRequest, needs: Needs): Promise<Account> {
  const { accounts, clock } = needs;
  const account = await (isTestAccount(accountId)
    ? fillTestPurse(needs, accountId, clock.now())
    : accounts.find(accountId));
  if (!account) throw missingAccount(accountId);
  return account;
}

async function dryRun(
  request: AnyRequest,
  needs: Needs,
  contract: GenerationContract,
  priced: Pick<Task, 'cost' | 'enginePrices'>,
) {
  const { cost } = priced;
  const { feature, operationId } = contract;
  const { tokenId, monthlyCreditCap: cap } = request.actor;
  const now = needs.clock.now();
  const [account, spent] = await Promise.all([
    accountOf(request, needs),
    cap === undefined || tokenId === undefined ? 0 : findSpent(needs.table, tokenId, monthAt(now)),
  ]);
  const shortage = shortageOf(account, debitOf(contract, account.accountId, priced, now));
  if (shortage) throw rejectionOf(shortage, { cost, feature, now }, account);
  if (cap !== undefined && spent + cost > cap) throw exceedsCap(cost, cap, spent);
  return { cost, balance: account.balance, operation: operationId };
}

/** What is known about a request before its inspection. */
interface Least {
  readonly cost: number | undefined;
  readonly enginePrices: EnginePrices;
  readonly now: number;
}

/** The check that the account can create the cheapest request; see {@link Inspection.requireFunds}. */
const fundsCheck =
  (
    contract: GenerationContract,
    account: Account | undefined,
    { cost, enginePrices, now }: Least,
  ): Inspection['requireFunds'] =>
  (routes) => {
    if (!account || cost === undefined) throw new Error('the operation declares no lowest price');
    // A route whose engine charges nothing remains open to an account that is barred.
    const charges = routes.map(({ id }) => pricesOfJobs(enginePrices, id));
    const least = { cost, ...(charges[0] && charges.every(isCharged) && { enginePrices: charges[0] }) };
    const shortage = shortageOf(account, debitOf(contract, account.accountId, least, now));
    if (shortage) throw rejectionOf(shortage, { cost, isLeast: true, feature: contract.feature, now }, account);
  };

type Shared = 'avatars' | 'catalog' | 'clock' | 'metrics' | 'products' | 'settings' | 'table' | 'measuring';

const inspectionOf = (
  { avatars, catalog, clock, metrics, products, settings, table, measuring, videoResolver }: Needs,
  given: Omit<Inspection, Shared | 'videoResolver'>,
): Inspection => ({
  avatars,
  catalog,
  clock,
  metrics,
  products,
  settings,
  table,
  measuring,
  videoResolver,
  ...given,
});

/**
 * Creates a task; a dry run returns its cost and has no effect. @throws {Rejection} switched-off, forbidden, invalid,
 * generation-failed, engine-unavailable, insufficient-credits, too-many-tasks, rate-limited
 */
export async function requestGeneration<Body extends Readonly<Record<string, unknown>>, Inspected>(
  request: GenerationRequest<Body>,
  needs: Needs,
  contract: GenerationContract,
  { inspect, cost: costOf, leastCost, promises }: GenerationRules<Body, Inspected>,
) {
  const { operationId, taskType, body: schema } = contract;
  // The catalog and the circuits are read concurrently; both are cached, so this seldom costs a round trip.
  const [engines, prices, enginePrices] = await Promise.all([
    needs.catalog.read(routesRow),
    needs.catalog.read(pricesRow),
    needs.catalog.read(enginePricesRow),
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
  const requireFunds = fundsCheck(contract, account, { cost: leastCost?.(prices), enginePrices, now });
  const given = { accountId: request.actor.accountId, outbound: inputs, addresses, routes, files, requireFunds };
  const inspected = (await inspect?.(body, inspectionOf(needs, given))) as Inspected;
  const cost = await costOf({ body, inspected, prices, catalog: needs.catalog });
  const promise = promises?.({ body, inspected });
  const order = { contract, taskType, cost, choice, routes, inspected, files, promise, enginePrices };
  if (request.headers['x-dry-run'] === 'true') {
    const { route } = await routeFor(request, needs, order);
    return dryRun(request, needs, contract, { cost, enginePrices: pricesOfJobs(enginePrices, route.id) });
  }
  const created = await createTask(request, needs, order);
  if (created instanceof Replay) return created;
  metricsFor(needs.metrics, request.actor.accountId).record(
    { TasksStarted: 1, CreditsDebited: cost },
    { operation: operationId },
  );
  await startTask(needs, created.taskId);
  return created;
}
