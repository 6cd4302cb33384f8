import { expect, test } from 'vitest';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { closeAccount, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import { addressDigest, InvitationExists, invitationDays, invite } from '../../../shared/domain/sessions/invitation.ts';
import { accountOf } from '../../../shared/domain/sessions/sign-up.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let now = testTime;

const host = await tableInTests();
const clock = { now: () => now };
const context = {
  ...createFullContext({ TABLE_NAME: 'unused' }, { clock, ids: testIds }),
  ...stores(host.table, clock),
};

const newAddress = () => `${testIds.next()}@example.com`;

const identityOf = (email: string) => {
  const id = testIds.next();
  return {
    issuer: 'https://issuer.example',
    subject: id,
    username: id,
    name: 'Ana',
    email,
    loginId: id,
    groups: [],
    kind: 'password',
    provider: 'password',
    isEmailVerified: true,
    authenticatedAt: now,
  } as const;
};

const enter = (identity: ReturnType<typeof identityOf>, over: FullContext = context) =>
  accountOf(over, identity, { signUp: 'invitation', credits: 100 });

/** Each log-in has a different identity with the same email address. */
const logIn = (email: string, over?: FullContext) => enter(identityOf(email), over);

const madeAccount = async () =>
  (await createAccount(context, { email: 'ana@example.com', name: 'Ana', credits: 500 })).accountId;

test('a pending invitation cannot be replaced, so its account can still be taken over', async () => {
  const [email, accountId, other] = [newAddress(), await madeAccount(), await madeAccount()];
  await invite(context, email, { accountId });
  await expect(invite(context, email, { accountId: other })).rejects.toThrow(InvitationExists);
  await expect(invite(context, email.toUpperCase())).rejects.toMatchObject({ invitation: { accountId } });
  expect(await logIn(email)).toEqual({ accountId });
});

test('an accepted invitation cannot be renewed, so no second identity takes over its account', async () => {
  const [email, accountId] = [newAddress(), await madeAccount()];
  await invite(context, email, { accountId });
  expect(await logIn(email)).toEqual({ accountId });
  now += (invitationDays + 1) * 86_400_000;
  await expect(invite(context, email, { accountId })).rejects.toMatchObject({
    invitation: { accountId, acceptedAt: testTime },
  });
  expect(await logIn(email)).toEqual({ problem: 'not-invited' });
  await invite(context, email, { accountId, replaces: true });
  expect(await logIn(email)).toEqual({ accountId });
});

test('an invitation can be accepted until it expires, and from then on can be replaced by a new one', async () => {
  const [early, late] = [newAddress(), newAddress()];
  const { expiresAt } = await invite(context, early);
  await invite(context, late);
  expect(expiresAt).toBe(now + invitationDays * 86_400_000);
  now = expiresAt - 1;
  expect(await logIn(early)).toHaveProperty('accountId');
  await expect(invite(context, late)).rejects.toThrow(InvitationExists);
  now = expiresAt;
  expect(await logIn(late)).toEqual({ problem: 'not-invited' });
  await invite(context, late);
  expect(await logIn(late)).toHaveProperty('accountId');
});

test('if an invitation is replaced during a log-in, the log-in accepts the new one and not the old one', async () => {
  const [email, wrong, right] = [newAddress(), await madeAccount(), await madeAccount()];
  await invite(context, email, { accountId: wrong });
  let isReplaced = false;
  const table: typeof host.table = {
    ...host.table,
    async transact(actions) {
      if (!isReplaced) {
        isReplaced = true;
        now += 1;
        await invite(context, email, { accountId: right, replaces: true });
      }
      await host.table.transact(actions);
    },
  };
  expect(await logIn(email, { ...context, table })).toEqual({ accountId: right });
});

test('writes in the same transaction as an invitation happen only if the invitation is written', async () => {
  const [email, accountId] = [newAddress(), testIds.next()];
  await invite(context, email);
  const key = { pk: `TEST#${accountId}`, sk: 'TEST' };
  await expect(invite(context, email, {}, [{ Put: { Item: key } }])).rejects.toThrow(InvitationExists);
  expect(await context.table.get(key)).toBeUndefined();
});

test('an invitation does not let a user into a closed account, not even if it is closed during the log-in', async () => {
  const [email, accountId] = [newAddress(), await madeAccount()];
  await invite(context, email, { accountId });
  const transact: FullContext['table']['transact'] = async (actions) => {
    await closeAccount({ clock, table: host.table }, accountId);
    return host.table.transact(actions);
  };
  const closing = { ...context, table: { ...host.table, transact } };
  expect(await logIn(email, closing)).toEqual({ problem: 'not-invited' });
  expect(await logIn(email)).toEqual({ problem: 'not-invited' });
});

test('a closed account cannot be entered by its owner until it is opened again', async () => {
  const email = newAddress();
  await invite(context, email);
  const login = identityOf(email);
  const { accountId } = (await enter(login)) as { accountId: string };
  await closeAccount(context, accountId);
  expect(await enter(login)).toEqual({ problem: 'closed' });
  await reopenAccount(context, accountId);
  expect(await enter(login)).toEqual({ accountId });
});

test('an address has one invitation and one bonus, however its domain is written', async () => {
  const address = `${testIds.next()}@bücher.example`;
  const [name = ''] = address.split('@');
  const domains = [
    'bücher.example',
    'BÜCHER.example.',
    'bücher。example。',
    'bücher．example．',
    'bücher｡example｡',
    'xn--bcher-kva.example',
  ];
  await invite(context, address);
  for (const domain of domains) await expect(invite(context, `${name}@${domain}`)).rejects.toThrow(InvitationExists);
  const balances = [];
  for (const domain of domains) {
    const admitted = await accountOf(context, identityOf(`${name}@${domain}`), { signUp: 'open', credits: 100 });
    const account = 'accountId' in admitted ? await context.accounts.find(admitted.accountId) : undefined;
    balances.push(account?.balance);
  }
  expect(balances).toEqual([100, 0, 0, 0, 0, 0]);
});

test.for([
  ['with quotation marks', 'joão.silva', '"joão.silva"', true],
  ['with a needless backslash', 'joão.silva', String.raw`"jo\ão.silva"`, true],
  ['with an accent of its own', 'joão', 'joa\u0303o', true],
  ['with quotation marks that it needs', 'joão', '"joão "', false],
  ['with another accent', 'joão', 'joáo', false],
] as const)('a name %s has the same digest only if it is the same mailbox', ([, plain, written, isSame]) => {
  expect(addressDigest(`${written}@example.com`) === addressDigest(`${plain}@example.com`)).toBe(isSame);
});

test.for(['example.com/x', 'example.com#', 'example.com?', String.raw`example.com\a`, '%65xample.com'])(
  'the domain %s is not that of another address',
  (domain) => {
    expect(addressDigest(`u@${domain}`)).not.toBe(addressDigest('u@example.com'));
  },
);

test('a domain that is a number is not that of an IP address', () => {
  const digests = ['0x7f.0.0.1', '127.1', '127.0.0.1'].map((domain) => addressDigest(`u@${domain}`));
  expect(new Set(digests).size).toBe(3);
});
