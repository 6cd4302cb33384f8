/**
 * The audit of one account finds every drift and reports none where there is none, whatever happens during the audit.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditReads } from '../../../bench/cost/not-counted.ts';
import { auditAccount } from '../../../shared/domain/accounts/audit-account.ts';
import { longestRecountMs, RecountTooLong } from '../../../shared/domain/accounts/audit-figures.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { type Stores, stores as storesOf } from '../../../shared/domain/stores.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { firstIdAt, randomIds } from '../../../shared/platform/ids.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { anAccount, tableInTests, testTime } from '../../support/test-table.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const host = await tableInTests();

type Action =
  | { readonly kind: 'post'; readonly amount: number; readonly skewMinutes: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'audit' }
  /** An audit that crashes after it has read a given number of rows. */
  | { readonly kind: 'crash'; readonly afterRows: number }
  /** Changes of the ledger during an audit. */
  | { readonly kind: 'race'; readonly amounts: readonly number[] };

const amount = fc.integer({ min: -5, max: 20 }).filter((value) => value !== 0);
const action: fc.Arbitrary<Action> = fc.oneof(
  // The clock of a process may be wrong by more than an hour, which is the age from which the audit assumes that no
  // earlier rows can appear.
  fc.record({ kind: fc.constant('post' as const), amount, skewMinutes: fc.integer({ min: -90, max: 90 }) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 61, 1500) }),
  fc.constant({ kind: 'audit' as const }),
  fc.record({ kind: fc.constant('crash' as const), afterRows: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant('race' as const), amounts: fc.array(amount, { minLength: 1, maxLength: 4 }) }),
);

function world() {
  let now = testTime;
  const account = anAccount({ balance: 0 });
  const { accountId } = account;
  const clock = { now: () => now };
  const stores = storesOf(host.table, clock);
  const needs = (over: Stores = stores) => ({ ...over, clock });
  const post = async (credits: number, skewMinutes = 0): Promise<void> => {
    const at = now + skewMinutes * minuteMs;
    const id = randomIds({ now: () => at }).next();
    await stores.accounts.post({ id, accountId, amount: credits, reason: 'bonus', at });
  };
  const crashing = (afterRows: number): Stores => {
    let left = afterRows;
    const table: Table = {
      ...host.table,
      async *walk(input) {
        for await (const item of host.table.walk(input)) {
          if (left === 0) throw new Error('the process died');
          left -= 1;
          yield item;
        }
      },
    };
    return storesOf(table, clock);
  };
  const audit = (over?: Stores) => auditAccount(needs(over), accountId);
  const actions = {
    post: ({ amount: credits, skewMinutes }: Action & { kind: 'post' }) => post(credits, skewMinutes),
    wait: async ({ minutes }: Action & { kind: 'wait' }) => {
      now += minutes * minuteMs;
    },
    audit: async () => expect(await audit()).toEqual({ accountId, credits: 0, slots: [] }),
    crash: ({ afterRows }: Action & { kind: 'crash' }) =>
      auditAccount(needs(crashing(afterRows)), accountId).catch(() => undefined),
    race: async ({ amounts }: Action & { kind: 'race' }) => {
      const [found] = await Promise.all([audit(), ...amounts.map((credits) => post(credits))]);
      // The account may change so often that the audit gives up; any result that it does return must be right.
      if (found) expect(found).toEqual({ accountId, credits: 0, slots: [] });
    },
  };
  const perform = (one: Action): Promise<unknown> => {
    switch (one.kind) {
      case 'post':
        return actions.post(one);
      case 'wait':
        return actions.wait(one);
      case 'audit':
        return actions.audit();
      case 'crash':
        return actions.crash(one);
      default:
        return actions.race(one);
    }
  };
  return {
    account,
    audit,
    stores,
    wait: (ms: number) => {
      now += ms;
    },
    now: () => now,
    run: async (sequence: readonly Action[]) => {
      for (const one of sequence) await perform(one);
    },
  };
}

const histories = fc.array(action, { maxLength: 12 });

test('the audit reports no drift for a consistent account, despite late rows, interrupted audits and concurrent postings', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (sequence) => {
      const { account, audit, run, stores } = world();
      await stores.accounts.insert(account, undefined);
      await run(sequence);
      expect(await audit()).toEqual({ accountId: account.accountId, credits: 0, slots: [] });
    }),
    modelRuns(15),
  );
}, 240_000);

const planted = fc.record({
  where: fc.constantFrom('balance' as const, 'newRow' as const, 'oldRow' as const, 'slot' as const),
  credits: fc.integer({ min: 1, max: 9 }),
});

test('the audit finds drift immediately, or within a month if the drift is older than the checkpoint', async () => {
  await fc.assert(
    fc.asyncProperty(histories, planted, async (sequence, { where, credits }) => {
      const { account, audit, now, run, stores, wait } = world();
      const { accountId } = account;
      await stores.accounts.insert(account, undefined);
      await run(sequence);
      await audit();
      const row = (at: number) =>
        host.table.transact([
          appendLedgerRow({ id: `${firstIdAt(at).slice(0, -1)}1`, accountId, amount: credits, reason: 'bonus', at }),
        ]);
      const update = (expression: string, value: unknown) =>
        host.table.update({
          Key: accountKey(accountId),
          UpdateExpression: expression,
          ExpressionAttributeValues: { ':value': value },
        });
      const plant = {
        balance: () => update('ADD balance :value', -credits),
        newRow: () => row(now() + 2 * 60 * minuteMs),
        oldRow: () => row(testTime - dayMs),
        slot: () => update('ADD openTasks :value', new Set(['ghost'])),
      };
      await plant[where]();
      if (where === 'oldRow') wait(31 * dayMs);
      const slots = where === 'slot' ? ['ghost'] : [];
      expect(await audit()).toEqual({ accountId, credits: where === 'slot' ? 0 : -credits, slots });
    }),
    modelRuns(15),
  );
}, 240_000);

test('the audit of an account without new ledger rows makes four reads and reads no ledger rows', async () => {
  const { account, audit, now, run, stores, wait } = world();
  await stores.accounts.insert(account, undefined);
  const posts = Array.from({ length: 20 }, (): Action => ({ kind: 'post', amount: 3, skewMinutes: 0 }));
  await run(posts);
  wait(2 * 60 * minuteMs);
  await audit();
  const asked: string[] = [];
  const noted: Table = {
    ...host.table,
    get: (key) => {
      asked.push('get');
      return host.table.get(key);
    },
    put: (input) => {
      asked.push('put');
      return host.table.put(input);
    },
    async *walk(input) {
      asked.push('walk');
      for await (const item of host.table.walk(input)) {
        asked.push('row');
        yield item;
      }
    },
  };
  const clock = { now };
  expect(await auditAccount({ ...storesOf(noted, clock), clock }, account.accountId)).toMatchObject({ credits: 0 });
  expect(asked.toSorted()).toEqual(['get', 'get', 'get', 'walk']);
  expect(asked).toHaveLength(auditReads);
});

/** Adds a ledger row in the same way as an earlier version, which counted no figures. */
async function postUncounted({ account: { accountId }, now }: ReturnType<typeof world>): Promise<void> {
  const id = randomIds({ now }).next();
  await host.table.transact([
    appendLedgerRow({ id, accountId, amount: 3, reason: 'bonus', at: now() }),
    {
      Update: {
        Key: accountKey(accountId),
        UpdateExpression: 'ADD balance :amount',
        ExpressionAttributeValues: { ':amount': 3 },
      },
    },
  ]);
}

test('the audit recounts daily figures from the second day after the release that began to count them', async () => {
  const own = world();
  await own.stores.accounts.insert(own.account, undefined);
  const found: unknown[] = [];
  for (let day = 1; day <= 4; day += 1) {
    await postUncounted(own);
    found.push(await own.audit());
    own.wait(dayMs);
    own.wait(2 * 60 * minuteMs);
    found.push(await own.audit());
    own.wait(-2 * 60 * minuteMs);
  }
  const { accountId } = own.account;
  const none = { accountId, credits: 0, slots: [] };
  const drift = (day: string) => ({
    ...none,
    figures: [{ accountId, day, figure: 'given', counted: 0, recounted: 3 }],
  });
  expect(found).toEqual([none, none, none, none, none, drift('2030-01-03'), none, drift('2030-01-04')]);
});

/** An account with 120 tasks on the latest complete day, whose figures have not been recounted. */
async function worldToRecount() {
  const own = world();
  const { accountId } = own.account;
  await own.stores.accounts.insert(own.account, undefined);
  await own.audit();
  own.wait(2 * dayMs);
  const at = own.now();
  const ids = randomIds({ now: own.now });
  const rows = Array.from({ length: 120 }, () => {
    const taskId = ids.next();
    return appendLedgerRow({
      id: ids.next(),
      accountId,
      amount: 0,
      reason: 'generation',
      at,
      taskType: 'voice',
      taskId,
    });
  });
  await host.table.transact(rows.slice(0, 60));
  await host.table.transact(rows.slice(60));
  own.wait(dayMs + 2 * 60 * minuteMs);
  return own;
}

test('the audit of an account abandons a recount of daily figures that takes too long, and does not repeat it', async () => {
  const { audit, account, stores, wait } = await worldToRecount();
  const reads: number[] = [];
  const tasks: Stores['tasks'] = {
    ...stores.tasks,
    findMany: async (ids) => {
      if (ids.length === 0) return [];
      reads.push(ids.length);
      wait(longestRecountMs);
      return stores.tasks.findMany(ids);
    },
  };
  const { accountId } = account;
  const correct = { accountId, credits: 0, slots: [] };
  expect(await audit({ ...stores, tasks })).toEqual({ ...correct, unrecounted: expect.any(RecountTooLong) });
  expect(await audit({ ...stores, tasks })).toEqual(correct);
  expect(reads).toEqual([50]);
});

test('the audit of an account keeps its other results if the recount of daily figures fails, and retries it next time', async () => {
  const { audit, account, stores } = await worldToRecount();
  const { accountId } = account;
  const correct = { accountId, credits: 0, slots: [] };
  const before = await stores.audits.checkpoint(accountId);
  const findMany: Stores['tasks']['findMany'] = async (ids) => {
    if (ids.length > 0) throw new Error('a task is damaged');
    return [];
  };
  const failing = await audit({ ...stores, tasks: { ...stores.tasks, findMany } });
  expect(failing).toEqual({ ...correct, unrecounted: new Error('a task is damaged') });
  const after = await stores.audits.checkpoint(accountId);
  expect(after?.through).not.toBe(before?.through);
  expect(after?.figuresDay).toBe(before?.figuresDay);
  expect(await audit()).toEqual(correct);
  expect((await stores.audits.checkpoint(accountId))?.figuresDay).not.toBe(before?.figuresDay);
});
