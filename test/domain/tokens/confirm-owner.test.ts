/** Confirming an owner's identity by password, and the errors if that fails. */
import { expect, test } from 'vitest';
import { passwordGuesses } from '../../../shared/contracts/limits.ts';
import { confirmOwner } from '../../../shared/domain/tokens/confirm-owner.ts';
import type { Identity } from '../../../shared/gateways/identity.ts';
import { giveSession } from '../../support/given-session.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

type Verdict = Awaited<ReturnType<Identity['checkPassword']>>;

/** Confirms an owner right after logging in by password; the identity provider responds to the password as given. */
async function ask(verdict: Verdict, password: string | undefined, accountId = testIds.next()) {
  const { table } = host;
  const clock = { now: () => testTime };
  const settings = { dashboardUrl: 'https://app.example.com' };
  const { session, digest } = await giveSession({ clock, ids: testIds, table, settings }, accountId);
  const identity = { checkPassword: async () => verdict, isEnabled: async () => true };
  return confirmOwner({ clock, identity, table }, { session, digest, password });
}

test('an owner who has a password must enter it to confirm who they are', async () => {
  await expect(ask('confirmed', undefined)).rejects.toMatchObject({
    kind: 'unconfirmed',
    details: { message: 'Enter the password to confirm.' },
  });
});

test('an owner whose password must be reset is told so, even right after logging in', async () => {
  await expect(ask('reset-required', 'right horse')).rejects.toMatchObject({
    kind: 'unconfirmed',
    details: { message: 'The password must be reset: log in again.' },
  });
});

test('an owner who has tried too many passwords is told how long to wait', async () => {
  const accountId = testIds.next();
  for (let count = 0; count < passwordGuesses; count += 1) {
    await expect(ask('rejected', 'wrong horse', accountId)).rejects.toMatchObject({ kind: 'wrong-password' });
  }
  await expect(ask('confirmed', 'right horse', accountId)).rejects.toMatchObject({
    kind: 'rate-limited',
    details: { message: 'Too many passwords were tried: wait before trying again.', retryAfterSeconds: 900 },
  });
});
