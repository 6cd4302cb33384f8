import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();

afterAll(() => service.close());

const grant = (account: string, amount: string, kind: string) => [
  'credits',
  'grant',
  '--account',
  account,
  '--amount',
  amount,
  '--kind',
  kind,
];

const stateOf = async (account: string) => {
  const { accounts, ledger } = service.context;
  return { balance: (await accounts.find(account))?.balance, sum: await ledger.sum(account) };
};

it('`credits grant` adds credits with a ledger row that states their kind', async () => {
  const account = await service.newAccount(100);

  expect(await service.done(...grant(account, '50', 'bonus'))).toEqual({ accountId: account, amount: 50 });

  const [row] = await service.context.ledger.list(account, { limit: 1, offset: 0 });
  expect(row).toMatchObject({ amount: 50, reason: 'bonus' });
  expect(await stateOf(account)).toEqual({ balance: 150, sum: 150 });
});

it('`credits grant` with a negative amount removes credits as an adjustment, down to a balance of zero', async () => {
  const account = await service.newAccount(100);

  const { stdout } = await service.admin(grant(account, '-40', 'adjustment'));
  expect(stdout).toMatch(/^amount +-40$/m);
  expect(await stateOf(account)).toEqual({ balance: 60, sum: 60 });
  const joined = ['credits', 'grant', '--account', account, '--amount=-60', '--kind=adjustment'];
  expect(await service.done(...joined)).toEqual({ accountId: account, amount: -60 });
  expect(await stateOf(account)).toEqual({ balance: 0, sum: 0 });

  expect(await service.context.ledger.list(account, { limit: 2, offset: 0 })).toMatchObject([
    { amount: -60, reason: 'adjustment' },
    { amount: -40, reason: 'adjustment' },
  ]);
});

it('`credits grant` rejects removing more than the balance, and changes nothing', async () => {
  const account = await service.newAccount(100);
  const { exitCode, stdout, stderr } = await service.admin([...grant(account, '-101', 'adjustment'), '--json']);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(JSON.parse(stderr)).toEqual({
    error: 'The balance is too low to remove 101 credits: it cannot go below zero.',
  });
  expect(await stateOf(account)).toEqual({ balance: 100, sum: 100 });
});

it.each([
  ['an amount of zero', '0', 'bonus', '--amount must be an integer'],
  ['an amount of minus zero', '-0', 'adjustment', '--amount must be an integer'],
  ['a fractional amount', '1.5', 'bonus', '--amount must be an integer'],
  ['an amount in exponential notation', '1e3', 'bonus', '--amount must be an integer'],
  ['too large an amount', '1000000001', 'bonus', '--amount must be an integer'],
  ['an unknown kind', '5', 'refund', '--kind must be one of bonus, adjustment.'],
])('`credits grant` rejects %s', async (_, amount, reason, sentence) => {
  const { exitCode, stdout, stderr } = await runCommandLine(grant(service.context.ids.next(), amount, reason));

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});

it('`credits grant` rejects a negative bonus, and changes nothing', async () => {
  const account = await service.newAccount(100);
  const { exitCode, stdout, stderr } = await service.admin(grant(account, '-5', 'bonus'));

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--kind must be adjustment when amount is negative.');
  expect(await stateOf(account)).toEqual({ balance: 100, sum: 100 });
});

it('`credits grant` reports a missing account, and writes no ledger row', async () => {
  const unknownId = service.context.ids.next();
  const { exitCode, stderr } = await service.admin(grant(unknownId, '5', 'bonus'));

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`There is no account ${unknownId}`);
  expect(await service.context.ledger.sum(unknownId)).toBe(0);
});
