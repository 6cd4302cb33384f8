/** A toy shop that charges at an external party before its commit, in processes that may crash at any step. */
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { successBody } from '../../../shared/contracts/envelope.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { runOnce } from '../../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { payingGateway } from '../../support/paying-gateway.ts';
import { testIds, testTime } from '../../support/test-table.ts';

/** How long a request holds its key before it is considered dead. */
export const leaseMs = 30_000;

class Crash extends Error {}

/** The faults of one request. */
export interface Scenario {
  /** The step before or after which the process crashes; none for a number beyond the last step. */
  readonly diesAt: number;
  readonly outside: 'responds' | 'charges and times out' | 'times out' | 'rejects';
  /** The toy that is bought; a different toy makes a different request body. */
  readonly toy?: 'robot' | 'train';
  /** The fault of the commit; undefined if it succeeds. */
  readonly commit?: 'throws' | 'is lost' | 'conflicts with an older order' | 'fails for an unknown reason';
  /** Whether the response to the claim is lost, so that the table's client sends it again. */
  readonly claimsAgain?: boolean;
  /** Runs in another process while the external party is working. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A process whose steps are counted, and which does nothing after its crash. */
function mortal({ diesAt }: Scenario) {
  let step = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    step += 1;
    if (step > diesAt) throw new Crash('the process has died');
    // For even numbers, the process crashes after the step's effect, so that its response is lost.
    const result = await work();
    if (step === diesAt && diesAt % 2 === 0) throw new Crash('the process has died');
    return result;
  };
}

export const well: Scenario = { diesAt: 99, outside: 'responds' };

export const contract = {
  operationId: 'createToyOrder',
  success: { status: 201, data: z.object({ charge: z.string(), toy: z.string() }) },
} as const;

/** A write whose condition is never met. */
const failing = (item: Item) => ({
  Put: {
    Item: item,
    ConditionExpression: 'attribute_exists(nothing)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const,
});

const orderItem = (accountId: string, charge: string) => ({ pk: `TEST-ORDER-${accountId}`, sk: charge });

function writesOf({ commit }: Scenario, accountId: string, charge: string) {
  if (commit === 'throws') throw new Error('a bug');
  const unexplained = { action: failing({ pk: 'TEST-NOTHING', sk: accountId }) };
  const explained = {
    action: failing(orderItem(accountId, 'older')),
    rejection: (item?: Item) => new Rejection('forbidden', { message: `The order ${String(item?.sk)} is active.` }),
  };
  return [
    { action: { Put: { Item: orderItem(accountId, charge), ConditionExpression: 'attribute_not_exists(pk)' } } },
    ...(commit === 'fails for an unknown reason' ? [unexplained] : []),
    ...(commit === 'conflicts with an older order' ? [explained] : []),
  ];
}

/** The table of a process that may crash. */
const tableOf = (table: Table, step: ReturnType<typeof mortal>, { claimsAgain, commit }: Scenario): Table => ({
  ...table,
  put: (input) =>
    step(async () => {
      if (claimsAgain) await table.put(input);
      await table.put(input);
    }),
  update: (input) => step(() => table.update(input)),
  transact: (actions) =>
    step(async () => {
      if (commit === 'is lost') throw new Error('the connection was lost');
      await table.transact(actions);
    }),
});

interface Order {
  readonly charge: string;
  readonly toy: string;
}

export interface ToyShop {
  now: number;
  readonly accountId: string;
  readonly gateway: ReturnType<typeof payingGateway>;
  /** Buys a toy: charges, then stores the order with the response. */
  buy(scenario: Scenario, key?: string | null): Promise<Order | Replay>;
  /** The ids of the stored orders. */
  orders(): Promise<unknown[]>;
  /** Stores an order as if it had been created earlier. */
  haveOlderOrder(): Promise<void>;
}

/** The shop of one account, with its own clock. */
export function toyShop(table: Table): ToyShop {
  const [accountId, gateway] = [testIds.next(), payingGateway()];
  const shop: ToyShop = {
    now: testTime,
    accountId,
    gateway,
    buy(scenario, key = 'order-1') {
      const step = mortal(scenario);
      const pause = async (milliseconds: number) => {
        shop.now += milliseconds;
        await turn();
      };
      const { toy = 'robot', outside, meanwhile } = scenario;
      const idempotency = key === null ? undefined : { key, fingerprint: fingerprintOf({ toy }, key) };
      const call = async (outsideKey: string) => {
        await turn();
        await meanwhile?.();
        if (outside === 'rejects') throw new Rejection('invalid', { message: 'The card was declined.' });
        if (outside === 'times out') throw new Error('timed out');
        const charge = gateway.charge(outsideKey, toy);
        if (outside === 'charges and times out') throw new Error('timed out');
        return charge;
      };
      return runOnce(
        { table: tableOf(table, step, scenario), clock: { now: () => shop.now }, ids: testIds, pause },
        { accountId, contract, idempotency },
        {
          isRepeatable: false,
          call: (outsideKey) => step(() => call(outsideKey)),
          commit: (charge) => ({
            writes: writesOf(scenario, accountId, charge),
            data: Object.assign({ charge, toy }, { secret: 'not in the contract' }),
          }),
        },
      );
    },
    async orders() {
      const range = { limit: 100, offset: 0 };
      const values = { ':pk': orderItem(accountId, '').pk };
      const found = await table.list({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: values }, range);
      return found.map(({ sk }) => sk);
    },
    haveOlderOrder: () => table.put({ Item: orderItem(accountId, 'older') }),
  };
  return shop;
}

/** The body of the response, as clients receive it. */
export const bodyOf = (outcome: Order | Replay): string =>
  outcome instanceof Replay ? outcome.response.body : successBody(contract.success.data.parse(outcome));

export const charged = (count: number, toy = 'robot'): string => successBody({ charge: `${toy}-${count}`, toy });

export const kindOf = async (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'completed',
    (error: unknown) => (error instanceof Rejection ? error.kind : 'failed'),
  );
