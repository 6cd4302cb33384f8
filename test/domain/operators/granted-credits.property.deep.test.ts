/**
 * Grants of one operator as a property: however many race, crash or are spread over accounts, alone they give no account
 * and not all accounts together more than the daily limits.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantLimit, operatorGrantLimit } from '../../../shared/contracts/grants.ts';
import { acts } from '../../../shared/domain/operators/acts.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { anAccount, tableInTests, testIds } from '../../support/test-table.ts';
import { needsOn, operatorNamed, perform } from './operators-world.ts';

const host = await tableInTests();
const now = timeOfId(testIds.next());
const clock = { now: () => now };
const needs = needsOn(host.table, clock);

type Moment = 'before' | 'after' | undefined;

/** The process crashes before or after its first write, if at all. */
const crashing = (table: Table, moment: Moment): Table => ({
  ...table,
  async transact(actions) {
    if (moment === 'before') throw new Error('crashed');
    await table.transact(actions);
    if (moment === 'after') throw new Error('crashed');
  },
});

const grant = fc.record({
  account: fc.nat(6),
  isNew: fc.nat(9).map((number) => number === 0),
  amount: fc.constantFrom(1, 3000, 9999, grantLimit),
  operator: fc.constantFrom('ana', 'ana', 'bia'),
  moment: fc.constantFrom<Moment>(undefined, undefined, undefined, 'before', 'after'),
});

const seen = { nearlyAll: 0, waiting: 0, refused: 0 };

test('an operator alone gives no account, and not all accounts together, more than the daily limits', async () => {
  const rounds = fc.array(fc.array(grant, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 8 });
  const property = fc.asyncProperty(rounds, async (plan) => {
    const run = testIds.next();
    const accounts = Array.from({ length: 7 }, () => anAccount({ balance: 0 }));
    await Promise.all(accounts.map((one) => needs.accounts.insert(one, undefined)));
    // Each operator has accounts of their own, so that what they gave is what their accounts have.
    const own = (operator: string, index: number) => accounts[operator === 'ana' ? index % 6 : 6]?.accountId ?? '';
    for (const round of plan) {
      await Promise.all(
        round.map(async ({ account, amount, isNew, moment, operator }) => {
          const by = { operator: operatorNamed(`${run}-${operator}`) };
          const mortal = needsOn(crashing(host.table, moment), clock);
          try {
            if (isNew) {
              const email = `${testIds.next()}@example.com`;
              const given = { email, name: 'Ana', credits: amount, replace: false };
              const { result } = await perform(mortal, acts.createAccount, given, by);
              if (operator === 'ana' && result) accounts.push(anAccount({ accountId: result.accountId }));
            } else {
              const input = { account: own(operator, account), amount, kind: 'bonus' };
              const { result } = await perform(mortal, acts.grantCredits, input, by);
              if (result && 'requestId' in result) seen.waiting += 1;
            }
          } catch (error) {
            if (!(error instanceof Rejection)) expect((error as Error).message).toBe('crashed');
            else seen.refused += 1;
          }
        }),
      );
    }
    const balances = await Promise.all(
      accounts.map(async ({ accountId }) => (await needs.accounts.find(accountId))?.balance ?? 0),
    );
    for (const balance of balances) expect(balance).toBeLessThanOrEqual(grantLimit);
    const byAna = balances.filter((_, index) => index !== 6).reduce((sum, balance) => sum + balance, 0);
    expect(byAna).toBeLessThanOrEqual(operatorGrantLimit);
    if (byAna > operatorGrantLimit - grantLimit) seen.nearlyAll += 1;
  });
  await fc.assert(property, modelRuns(40));
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});
