/**
 * Sign-up as a property: whichever log-ins race or crash, every identity has one account, and every address one bonus.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invite } from '../../../shared/domain/sessions/invitation.ts';
import { accountOf, type SignUpRules } from '../../../shared/domain/sessions/sign-up.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { Identified } from '../../../shared/gateways/identity.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const clock = { now: () => testTime };
const bonus = 100;

type Crash = 'none' | 'before' | 'after';

/** The process crashes before or after its transaction. */
function crashing(table: Table, crash: Crash): Table {
  return {
    ...table,
    async transact(actions) {
      if (crash === 'before') throw new Error('crashed');
      await table.transact(actions);
      if (crash === 'after') throw new Error('crashed');
    },
  };
}

const contextOver = (table: Table): FullContext => ({
  ...createFullContext({ TABLE_NAME: 'unused' }, { clock, ids: testIds }),
  ...stores(table, clock),
});

const identity = (subject: string, email: string, isEmailVerified: boolean): Identified => ({
  issuer: 'https://issuer.example',
  subject,
  username: subject,
  kind: 'password',
  provider: 'password',
  name: 'Ana',
  email,
  isEmailVerified,
  authenticatedAt: testTime,
  loginId: 'log-in',
  groups: [],
});

const logIn = fc.record({
  who: fc.nat(2),
  isVerified: fc.boolean(),
  crash: fc.constantFrom<Crash>('none', 'none', 'none', 'before', 'after'),
});
const world = fc.record({
  signUp: fc.constantFrom<SignUpRules['signUp']>('open', 'invitation', 'closed'),
  /**
   * The invitation for the address that identities 0 and 1 share: none, to a new account, or to an operator's account.
   */
  invitation: fc.constantFrom('none', 'new', 'made'),
  rounds: fc.array(fc.array(logIn, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
});

test('concurrent sign-ups give each identity one account and each address one bonus, and use an invitation once', async () => {
  const property = fc.asyncProperty(world, async ({ signUp, invitation, rounds }) => {
    const run = testIds.next();
    const context = contextOver(host.table);
    const addresses = [`Shared-${run}@example.com`, `shared-${run}@Example.com.`, `own-${run}@example.com`];
    const made = anAccount({ balance: 7 });
    await context.accounts.insert(made, undefined);
    if (invitation !== 'none') {
      await invite(context, addresses[0] ?? '', invitation === 'made' ? { accountId: made.accountId } : {});
    }
    // Finally each identity logs in without a crash, so that every account is checked.
    const settled = addresses.map((_, who) => [{ who, isVerified: true, crash: 'none' as const }]);
    const accounts = new Map<number, Set<string>>();
    for (const round of [...rounds, ...settled]) {
      await Promise.all(
        round.map(async ({ who, isVerified, crash }) => {
          const by = identity(`${run}-${who}`, addresses[who] ?? '', isVerified);
          const result = await accountOf(contextOver(crashing(host.table, crash)), by, {
            signUp,
            credits: bonus,
          }).catch((error: Error) => expect(error.message).toBe('crashed'));
          if (result && 'accountId' in result)
            accounts.set(who, (accounts.get(who) ?? new Set()).add(result.accountId));
        }),
      );
    }
    const perPerson = [...accounts.values()].map((ids) => [...ids]);
    for (const ids of perPerson) expect(ids).toHaveLength(1);
    const all = perPerson.flat();
    // Every account has one owner.
    expect(new Set(all).size).toBe(all.length);
    /**
     * Accepting an invitation counts as the sign-up of the person with that address, who then gets the operator's
     * credits instead of a bonus.
     */
    const bonuses = async (identities: readonly number[]) => {
      const ids = identities.flatMap((who) => [...(accounts.get(who) ?? [])]);
      for (const accountId of ids) {
        const ledger = await context.ledger.list(accountId, { limit: 10, offset: 0 });
        const sum = ledger.reduce((total, { amount }) => total + amount, accountId === made.accountId ? 7 : 0);
        expect((await context.accounts.find(accountId))?.balance).toBe(sum);
      }
      const ledgers = await Promise.all(ids.map((id) => context.ledger.list(id, { limit: 10, offset: 0 })));
      return { hasSignedUp: ids.length > 0, amounts: ledgers.flat().map(({ amount }) => amount) };
    };
    for (const identities of [[0, 1], [2]]) {
      const { hasSignedUp, amounts } = await bonuses(identities);
      const isTakenOver = identities.some((who) => accounts.get(who)?.has(made.accountId));
      expect(amounts).toEqual(hasSignedUp && !isTakenOver ? [bonus] : []);
    }
    if (signUp === 'closed') expect(all.filter((id) => id !== made.accountId)).toEqual([]);
    // One invitation cannot admit two identities, and never the third.
    if (signUp === 'invitation') expect(all.length).toBeLessThanOrEqual(invitation === 'none' ? 0 : 1);
  });
  await fc.assert(property, modelRuns(15));
});
