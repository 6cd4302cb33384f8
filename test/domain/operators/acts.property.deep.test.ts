/**
 * Acts of operators as a property: whichever acts race, crash or are sent again, each one that had an effect has
 * exactly one entry in the log, and no operator alone grants more than the daily limit.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantLimit } from '../../../shared/contracts/grants.ts';
import { pricesRow } from '../../../shared/domain/catalog/prices-row.ts';
import { type ActEntry, actLog } from '../../../shared/domain/operators/act-log.ts';
import { acts } from '../../../shared/domain/operators/acts.ts';
import { grantRequestStore } from '../../../shared/domain/operators/grant-requests.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { anAccount, tableInTests, testIds } from '../../support/test-table.ts';
import { needsOn, operatorNamed, perform } from './operators-world.ts';

const host = await tableInTests();
/** The time of the ids, by which requests are found. */
const now = timeOfId(testIds.next());
const clock = { now: () => now };
const log = actLog(host.table);
const needs = needsOn(host.table, clock);

/** The process crashes before or after one of its writes, and writes nothing more. */
function crashing(table: Table, crashAt: number, moment: 'before' | 'after'): Table {
  let writes = 0;
  return {
    ...table,
    async transact(actions) {
      writes += 1;
      if (writes > crashAt || (writes === crashAt && moment === 'before')) throw new Error('crashed');
      await table.transact(actions);
      if (writes === crashAt) throw new Error('crashed');
    },
  };
}

const someAct = fc.oneof(
  fc.record({ name: fc.constant('grant' as const), amount: fc.constant(10_001) }),
  fc.record({ name: fc.constant('grant' as const), amount: fc.constantFrom(1, 9_999, 10_001, 20_000) }),
  fc.record({ name: fc.constant('approve' as const), which: fc.nat(3) }),
  fc.record({ name: fc.constant('approve' as const), which: fc.constant(0) }),
  fc.record({ name: fc.constant('decline' as const), which: fc.nat(3) }),
  fc.record({ name: fc.constant('price' as const), value: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ name: fc.constant('undo' as const), version: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ name: fc.constant('end-sessions' as const) }),
);

const step = fc.record({
  act: someAct,
  operator: fc.constantFrom('ana', 'bia', 'caio'),
  key: fc.option(fc.nat(2), { nil: undefined }),
  crashAt: fc.constantFrom(99, 99, 1, 2),
  moment: fc.constantFrom('before' as const, 'after' as const),
});

interface World {
  readonly account: string;
  readonly sessionsEnded: string[];
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take({ account, sessionsEnded }: World, { act, operator, key, crashAt, moment }: Step, run: string) {
  const own = needsOn(crashing(host.table, crashAt, moment), clock);
  const by = { operator: operatorNamed(`${run}-${operator}`), key: key === undefined ? undefined : `${run} ${key}` };
  const requests = (await grantRequestStore(host.table).waiting(now)).filter((one) => one.accountId === account);
  const request =
    'which' in act ? (requests[act.which % Math.max(1, requests.length)]?.requestId ?? testIds.next()) : '';
  switch (act.name) {
    case 'grant':
      return perform(own, acts.grantCredits, { account, amount: act.amount, kind: 'bonus' }, by);
    case 'approve':
      return perform(own, acts.approveGrant, { request }, by);
    case 'decline':
      return perform(own, acts.declineGrant, { request }, by);
    case 'price':
      return perform(own, acts.setPrice, { type: 'voice', name: 'charactersPerCredit', value: act.value }, by);
    case 'undo':
      return perform(own, acts.undoCatalog, { row: 'prices', version: act.version }, by);
    default: {
      const sessions = { endAll: async () => sessionsEnded.push(account) };
      return perform({ ...own, sessions }, acts.endSessions, { account }, by);
    }
  }
}

/** According to the log: what was granted, by whom, and who approved it. */
const grantedIn = (entries: readonly ActEntry[]) =>
  entries.flatMap(({ act, after, operatorId, state, subject }) =>
    state === 'done' && typeof after?.granted === 'number' ? [{ act, amount: after.granted, operatorId, subject }] : [],
  );

async function expectGrantsRecorded(account: string, entries: readonly ActEntry[]): Promise<void> {
  const granted = grantedIn(entries);
  const ledger = await needs.ledger.list(account, { limit: 100, offset: 0 });
  const sorted = (amounts: readonly number[]) => amounts.toSorted((one, other) => one - other);
  expect(sorted(granted.map(({ amount }) => amount))).toEqual(sorted(ledger.map(({ amount }) => amount)));
  expect((await needs.accounts.find(account))?.balance).toBe(await needs.ledger.sum(account));
  const alone = granted.filter(({ act }) => act === 'grantCredits');
  for (const operator of new Set(alone.map(({ operatorId }) => operatorId))) {
    const own = alone.filter(({ operatorId }) => operatorId === operator);
    expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(grantLimit);
  }
  for (const { operatorId, subject } of granted.filter(({ act }) => act === 'approveGrant')) {
    const request = await grantRequestStore(host.table).find(subject.split(' ').at(-1) ?? '');
    expect(request).toMatchObject({ state: 'approved', decidedBy: { id: operatorId } });
    expect(request?.requestedBy.id).not.toBe(operatorId);
  }
}

async function expectCatalogRecorded(): Promise<void> {
  const entries = (await log.of('catalog/prices', { limit: 1_000 })).filter(({ state }) => state === 'done');
  const { members, version } = await needs.catalog.show(pricesRow);
  expect(entries.map(({ after }) => after?.version)).toEqual(
    Array.from({ length: version }, (_, index) => version - index),
  );
  const { voice } = (entries[0]?.after?.members ?? {}) as { voice?: unknown };
  if (voice) expect(members.voice).toEqual(voice);
}

test('operators’ acts that race, crash or are repeated have one log entry each if they had an effect, and no other entry', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    async (rounds) => {
      const run = testIds.next();
      const { accountId: account } = await (async () => {
        const opened = anAccount({ balance: 0 });
        await needs.accounts.insert(opened, undefined);
        return opened;
      })();
      const world: World = { account, sessionsEnded: [] };
      for (const round of rounds) {
        await Promise.all(
          round.map((one) =>
            take(world, one, run).catch((error: Error) => {
              if (!(error instanceof Rejection)) expect(error.message).toBe('crashed');
            }),
          ),
        );
      }
      const entries = await log.of(`account/${account}`, { limit: 1_000 });
      expect(new Set(entries.map(({ actId }) => actId)).size).toBe(entries.length);
      await expectGrantsRecorded(account, entries);
      await expectCatalogRecorded();
      const inSteps = entries.filter(({ act }) => act === 'endSessions');
      const ended = inSteps.filter(({ state }) => state === 'done').length;
      expect(world.sessionsEnded.length).toBeGreaterThanOrEqual(ended);
      expect(world.sessionsEnded.length).toBeLessThanOrEqual(inSteps.length);
    },
  );
  await fc.assert(property, modelRuns(40));
});
