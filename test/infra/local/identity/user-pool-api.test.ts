/** Operators' changes of users by Cognito's API, as the local identity provider implements it. */
import { expect, test } from 'vitest';
import { localUsers } from '../../../../infra/local/identity/local-users.ts';
import { userPoolApi } from '../../../../infra/local/identity/user-pool-api.ts';

const users = localUsers();
const ana = users.addWithPassword({ email: 'ana@example.com', name: 'Ana' }, 'a long password');
const bia = users.addWithPassword({ email: 'bia@example.com', name: 'Bia' }, 'a long password');
const client = { id: 'client', secret: 'secret' };
const api = userPoolApi({ userPoolId: 'pool', client, users, sign: async () => 'token' });

const change = async (operation: string, request: object = {}) => {
  const given = { UserPoolId: 'pool', Username: ana.username, ...request };
  const { body, status } = await api.respond(operation, given);
  const { __type: fault } = body;
  return [status, fault];
};

test('disabling or enabling a user of the local user pool affects no other user', async () => {
  expect(await change('AdminDisableUser')).toEqual([200, undefined]);
  expect([ana.isEnabled, bia.isEnabled]).toEqual([false, true]);
  expect(await change('AdminEnableUser')).toEqual([200, undefined]);
  expect(ana.isEnabled).toBe(true);
});

test('in the local user pool, a second factor can be required, and removed for a user who has lost it', async () => {
  const preference = (Enabled: boolean) => ({ SoftwareTokenMfaSettings: { Enabled, PreferredMfa: Enabled } });
  await change('AdminSetUserMFAPreference', preference(true));
  expect([ana.hasSecondFactor, bia.hasSecondFactor]).toEqual([true, false]);
  await change('AdminSetUserMFAPreference', preference(false));
  expect(ana.hasSecondFactor).toBe(false);
});

test('the local user pool rejects an unknown user, an unknown pool and an unknown operation', async () => {
  expect(await change('AdminDisableUser', { Username: 'unknown' })).toEqual([400, 'UserNotFoundException']);
  expect(await change('AdminDisableUser', { UserPoolId: 'other' })).toEqual([400, 'ResourceNotFoundException']);
  expect(await change('AdminConfirmSignUp')).toEqual([400, 'UnknownOperationException']);
  expect(ana.isEnabled).toBe(true);
});

test('in the local user pool, a deleted user is unknown, and other users stay', async () => {
  expect(await change('AdminDeleteUser', { Username: bia.username })).toEqual([200, undefined]);
  expect(await change('AdminDisableUser', { Username: bia.username })).toEqual([400, 'UserNotFoundException']);
  expect(await change('AdminEnableUser')).toEqual([200, undefined]);
});
