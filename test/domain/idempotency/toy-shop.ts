/** A shop of toys: it charges at an outside party before its commit, in processes that may die at any step. */
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { successBody } from '../../../shared/contracts/envelope.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { runOnce } from '../../../shared/domain/idempotency/run-once.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { payingGateway } from '../../support/paying-gateway.ts';
import { testIds, testTime } from '../../support/test-table.ts';

/** For how long a request holds its key before it counts as dead. */
export const leaseMs = 30_000;

class Crash extends Error {}

/** What happens to one request on its way. */
export interface Scenario {
  /** The step before or after which its process dies; none for a number beyond the last step. */
  readonly diesAt: number;
  readonly outside: 'responds' | 'charges and times out' | 'times out' | 'rejects';
  /** What is bought: another toy is another body. */
  readonly toy?: 'robot' | 'train';
  /** Undefined where the commit goes well. */
  readonly commit?: 'throws' | 'is lost' | 'conflicts with an older order' | 'fails for an unknown reason';
  /** The response to its claim is lost, and the table's client sends it again. */
  readonly claimsAgain?: boolean;
  /** What goes on elsewhere while the outside party is at work. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A process whose steps are counted, and which does nothing once it has died. */
function mortal({ diesAt }: Scenario) {
  let step = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    step += 1;
    if (step > diesAt) throw new Crash('the process has died');
    // Even numbers die after the effect, so that its response is lost.
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

/** A write whose condition never holds. */
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

/** The table of a process that may die. */
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
  /** Buys something: charges, then stores the order with the response. */
  buy(scenario: Scenario, key?: string | null): Promise<Order | Replay>;
  /** The ids of the stored orders. */
  orders(): Promise<unknown[]>;
  /** Stores an order that was made before. */
  haveOlderOrder(): Promise<void>;
}

/** An account's shop, at a time of its own. */
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

/** The body of the response, as the edge sends it. */
export const bodyOf = (outcome: Order | Replay): string =>
  outcome instanceof Replay ? outcome.response.body : successBody(contract.success.data.parse(outcome));

export const charged = (count: number, toy = 'robot'): string => successBody({ charge: `${toy}-${count}`, toy });

export const kindOf = async (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'completed',
    (error: unknown) => (error instanceof Rejection ? error.kind : 'failed'),
  );
