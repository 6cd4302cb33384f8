/** Acts of operators: who may perform them, and what the log shows of them. */
import { describe, expect, it } from 'vitest';
import { pricesRow } from '../../../shared/domain/catalog/prices-row.ts';
import { actLog, appendEntry } from '../../../shared/domain/operators/act-log.ts';
import { acts } from '../../../shared/domain/operators/acts.ts';
import type { Operator } from '../../../shared/domain/operators/operator.ts';
import { performAct, previewAct } from '../../../shared/domain/operators/perform-act.ts';
import { closeAccount } from '../../../shared/domain/privacy/closing.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import type { DeadLetters } from '../../../shared/platform/dead-letters.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { needsOn, operatorNamed, perform } from './operators-world.ts';

const { table } = await tableInTests();
let now = testTime;
const needs = needsOn(table, { now: () => now });
const log = actLog(table);

async function newAccount(balance = 100): Promise<string> {
  const account = anAccount({ balance });
  await needs.accounts.insert(account, undefined);
  return account.accountId;
}

const actsOf = (accountId: string) => log.of(`account/${accountId}`, { limit: 50 });
const balanceOf = async (accountId: string) => (await needs.accounts.find(accountId))?.balance;
const grantOf = (account: string, amount: number) => ({ account, amount, kind: 'bonus' });

const kindOf = (error: unknown): string => (error instanceof Rejection ? error.kind : 'no rejection');

/** Which acts each role may perform, in addition to those of lower roles. */
const allowed: Readonly<Record<Operator['role'], string>> = {
  viewer: '',
  support:
    'liftLimits setRetention endSessions addNote seeAsCustomer setTokenCap revokeToken grantCredits declineGrant fillTestCredits ' +
    'settleOrder cancelOrder cancelSubscription resolveCase syncConnection removeConnection failTask redeliverWebhook',
  admin:
    'createAccount inviteOwner endOperatorSessions reconcileAccount createToken approveGrant advanceSubscription changeCatalog resetCatalog undoCatalog ' +
    'switchOperation useRoutes setPrice addConnection redriveDeadLetters setEngineKey certifyContentKey installContentCertificates rotateWebhookKey indexTable ' +
    'previewVoices closeAccount reopenAccount eraseAccount eraseDueAccounts repeatErasures exportAccount linkExport',
};
const roles = ['viewer', 'support', 'admin'] as const;

describe.each(roles)('the role %s', (role) => {
  const mine = roles.slice(0, roles.indexOf(role) + 1).flatMap((one) => allowed[one].split(' '));

  it.each(Object.values(acts).map((act) => [act.name, act] as const))('is checked before %s', async (name, act) => {
    const request = { operator: operatorNamed('ana', role), reason: 'Tried by a test.', input: 'no input' };
    const rejection = await performAct(needs as never, act as never, request).catch(kindOf);
    expect(rejection).toBe(mine.includes(name) ? 'invalid' : 'forbidden');
  });
});

it('every operator’s act is listed under its own name', () => {
  expect(Object.entries(acts).filter(([name, act]) => act.name !== name)).toEqual([]);
});

it.each([
  ['no reason', ''],
  ['a reason of 2 characters', 'ok'],
  ['a reason of 501 characters', 'x'.repeat(501)],
  ['a reason of 9 spaces and control characters', ' \u202e\u0000 '.repeat(2)],
])(
  'an operator’s act with %s is rejected with a message that states the allowed length of a reason',
  async (_, reason) => {
    const account = await newAccount();
    const attempt = perform(needs, acts.grantCredits, grantOf(account, 5), { reason });
    await expect(attempt).rejects.toThrow(/^reason must be a string of 3 to 500 characters/);
    expect(await balanceOf(account)).toBe(100);
  },
);

it('an operator’s act is logged for its account and for all, with operator, reason, and values before and after', async () => {
  const account = await newAccount();
  await perform(needs, acts.grantCredits, grantOf(account, 5), { requestId: 'request-1' });
  const [entry] = await actsOf(account);
  expect(entry).toMatchObject({
    act: 'grantCredits',
    operatorId: 'ana',
    role: 'admin',
    reason: 'Tried by a test.',
    requestId: 'request-1',
    subject: `account ${account}`,
    state: 'done',
    before: { balance: 100 },
    after: { granted: 5, kind: 'bonus' },
  });
  expect(await log.list({ limit: 1 })).toEqual([entry]);
  expect(await log.find(entry?.actId ?? '')).toEqual(entry);
});

it('a preview says what an operator’s act would change, and neither changes nor records anything', async () => {
  const account = await newAccount();
  const request = { operator: operatorNamed('ana'), reason: 'Only looking.', input: grantOf(account, 5) };
  expect(await previewAct(needs, acts.grantCredits, request)).toEqual({
    before: { balance: 100 },
    after: { granted: 5, kind: 'bonus' },
  });
  expect(await balanceOf(account)).toBe(100);
  expect(await actsOf(account)).toEqual([]);
});

it('an operator’s act that is sent again with its key is performed once, and the key cannot be used for another act', async () => {
  const account = await newAccount();
  const send = (amount: number) =>
    perform(needs, acts.grantCredits, grantOf(account, amount), { key: `key ${account}` });
  const [first, ...others] = await Promise.all([send(5), send(5), send(5)]);
  expect(others.map(({ entry }) => entry)).toEqual([first?.entry, first?.entry]);
  expect(await balanceOf(account)).toBe(105);
  expect(await actsOf(account)).toHaveLength(1);
  await expect(send(6)).rejects.toThrow('The key belongs to another act: use a new one.');
});

it('a failed act of an operator is recorded with the reason for its failure', async () => {
  const account = await newAccount();
  const input = { account, amount: -500, kind: 'adjustment' };
  await expect(perform(needs, acts.grantCredits, input)).rejects.toThrow('cannot go below zero');
  expect(await actsOf(account)).toMatchObject([{ state: 'failed', code: 'invalid' }]);
});

it('an operator’s act in steps is recorded before its first step, and its end is recorded after its last step', async () => {
  const account = await newAccount();
  const seen: unknown[] = [];
  const sessions = {
    async endAll() {
      seen.push(...(await actsOf(account)).map(({ state }) => state));
      return 2;
    },
  };
  await perform({ ...needs, sessions }, acts.endSessions, { account });
  expect(seen).toEqual(['begun']);
  expect(await actsOf(account)).toMatchObject([{ state: 'done', after: { sessionsEnded: 2 } }]);
});

it('an entry of the log of operators’ acts can be neither added twice nor replaced', async () => {
  const account = await newAccount();
  const { entry } = await perform(needs, acts.grantCredits, grantOf(account, 5));
  await expect(table.transact(appendEntry({ ...entry, reason: 'Another reason.' }))).rejects.toThrow();
  expect(await log.find(entry.actId)).toEqual(entry);
});

it('operators’ acts are listed newest first, page by page; only the list of all accounts shortens large changes', async () => {
  const members = {
    coupons: Array.from({ length: 60 }, (_, index) => ({ code: `C${index}`, percentOff: 5, duration: 'once' })),
  };
  await perform(needs, acts.changeCatalog, { row: 'coupons', members });
  const account = await newAccount();
  for (const amount of [1, 2, 3]) await perform(needs, acts.grantCredits, grantOf(account, amount));
  const newest = await log.list({ limit: 2 });
  expect(newest.map(({ after }) => after?.granted)).toEqual([3, 2]);
  const [third, fourth] = await log.list({ limit: 2, before: newest[1]?.actId });
  expect(third?.after?.granted).toBe(1);
  expect(fourth).toMatchObject({ act: 'changeCatalog', isShortened: true });
  expect(fourth?.after).toBeUndefined();
  expect((await log.find(fourth?.actId ?? ''))?.after).toMatchObject({ members });
});

describe('grants of over 10,000 credits in a day by one operator to one account', () => {
  const [ana, bia] = [operatorNamed('ana'), operatorNamed('bia')];

  async function requested(account: string, amount = 10_001): Promise<string> {
    const { result } = await perform(needs, acts.grantCredits, grantOf(account, amount), { operator: ana });
    return result?.requestId ?? '';
  }

  it('wait for another operator, whose approval adds them once', async () => {
    const account = await newAccount();
    const request = await requested(account);
    expect(await balanceOf(account)).toBe(100);
    const approve = (operator: Operator) => perform(needs, acts.approveGrant, { request }, { operator }).catch(kindOf);
    expect(await approve(ana)).toBe('forbidden');
    const approvals = await Promise.all([approve(bia), approve(operatorNamed('caio')), approve(operatorNamed('davi'))]);
    expect(approvals.filter((one) => one === 'invalid')).toHaveLength(2);
    expect(await balanceOf(account)).toBe(10_101);
    expect(await needs.ledger.sum(account)).toBe(10_001);
  });

  it('are recognized by their sum, including the account’s first credits', async () => {
    const email = `${testIds.next()}@example.com`;
    const created = await perform(needs, acts.createAccount, { email, name: 'Ana', credits: 9_000 }, { operator: ana });
    const account = created.result?.accountId ?? '';
    expect(await requested(account, 1_000)).toBe('');
    expect(await requested(account, 1)).not.toBe('');
    expect((await perform(needs, acts.grantCredits, grantOf(account, 1), { operator: bia })).result).toEqual({
      accountId: account,
      amount: 1,
    });
    expect(await balanceOf(account)).toBe(10_001);
  });

  it('can be declined, after which they cannot be approved', async () => {
    const account = await newAccount();
    const request = await requested(account);
    await perform(needs, acts.declineGrant, { request }, { operator: operatorNamed('ana', 'support') });
    await expect(perform(needs, acts.approveGrant, { request }, { operator: bia })).rejects.toThrow(
      'has been declined',
    );
    expect(await balanceOf(account)).toBe(100);
  });

  it('can be approved for 7 days', async () => {
    const account = await newAccount();
    const [late, timely] = [await requested(account), await requested(account)];
    now += 7 * dayMs - 1;
    await perform(needs, acts.approveGrant, { request: timely }, { operator: bia });
    now += 1;
    await expect(perform(needs, acts.approveGrant, { request: late }, { operator: bia })).rejects.toThrow('expired');
    expect(await balanceOf(account)).toBe(10_101);
  });
});

describe('the history of the catalog', () => {
  const priceOf = async () => (await needs.catalog.show(pricesRow)).members.voice;
  const setPrice = (value: number) =>
    perform(needs, acts.setPrice, { type: 'voice', name: 'charactersPerCredit', value });
  const undo = (version?: number) => perform(needs, acts.undoCatalog, { row: 'prices', version });
  const history = async () =>
    (await log.of('catalog/prices', { limit: 50 })).map(({ act, after }) => [act, after?.version]);

  it('lists each change with its version, and can undo any change by another one', async () => {
    const byDefault = await priceOf();
    await setPrice(7);
    await setPrice(9);
    await undo();
    expect(await priceOf()).toMatchObject({ charactersPerCredit: 7 });
    await undo(1);
    expect(await priceOf()).toEqual(byDefault);
    expect(await history()).toEqual([
      ['undoCatalog', 4],
      ['undoCatalog', 3],
      ['setPrice', 2],
      ['setPrice', 1],
    ]);
    await expect(undo(9)).rejects.toThrow('there is no change 9');
  });

  it('is in the order of the changes even if several operators change the row at the same time', async () => {
    const before = (await history()).length;
    const values = [11, 12, 13, 14];
    const changes = await Promise.all(values.map((value) => setPrice(value).catch(kindOf)));
    const done = changes.flatMap((change) => (typeof change === 'string' ? [] : [change.entry]));
    expect(changes.filter((change) => typeof change === 'string' && change !== 'in-progress')).toEqual([]);
    const versions = done.map(({ after }) => Number(after?.version)).toSorted((one, other) => one - other);
    expect(versions).toEqual(versions.map((_, index) => before + 1 + index));
    const last = done.find(({ after }) => after?.version === versions.at(-1));
    expect(last?.after?.members).toEqual({ voice: await priceOf() });
  });
});

it('an invitation to take over a closed account is rejected', async () => {
  const account = await newAccount();
  await closeAccount(needs, account);
  const inviting = perform(needs, acts.inviteOwner, { email: `${account}@example.com`, account });
  await expect(inviting).rejects.toThrow('The account is closed.');
});

it('credits are not given to an account that is closed after it was read, but can be removed from it', async () => {
  const account = await newAccount();
  const find = async (accountId: string) => {
    const found = await needs.accounts.find(accountId);
    await closeAccount(needs, accountId);
    return found;
  };
  const late = { ...needs, accounts: { ...needs.accounts, find } };
  await expect(perform(late, acts.grantCredits, grantOf(account, 5))).rejects.toThrow('The account is closed.');
  expect(await balanceOf(account)).toBe(100);
  await perform(late, acts.grantCredits, { ...grantOf(account, -5), kind: 'adjustment' });
  expect(await balanceOf(account)).toBe(95);
});

it('an operator’s act that fails after some of its steps is in the log with what it had changed', async () => {
  const deadLetters = {
    ...({} as DeadLetters),
    count: async () => 5,
    redrive: async (_queue: unknown, onMoved: (more: number) => void) => {
      onMoved(2);
      onMoved(1);
      throw new Error('the queue is unreachable');
    },
  };
  const redriving = perform({ ...needs, deadLetters }, acts.redriveDeadLetters, { queue: 'webhooks' });
  await expect(redriving).rejects.toThrow('the queue is unreachable');
  expect((await log.list({ limit: 1 }))[0]).toMatchObject({
    act: 'redriveDeadLetters',
    state: 'failed',
    before: { deadLetters: 5 },
    after: { moved: 3 },
  });
});
