import { afterAll, expect, it } from 'vitest';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { monthAt, spend } from '../../../shared/domain/tokens/spending.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { timestamp } from '../../../shared/platform/clock.ts';
import { startOperatedService } from './operated-service.ts';

interface Created {
  readonly token: string;
  readonly tokenId: string;
  readonly webhookToken: string;
}

const service = await startOperatedService();
const account = await service.newAccount();

afterAll(() => service.close());

const creating = (...more: string[]) => ['token', 'create', '--account', account, '--name', 'server', ...more];
const newToken = (...more: string[]) => service.done<Created>(...creating('--scopes', 'read:profile', ...more));

const profileStatus = async (token: string): Promise<number> => {
  const response = await fetch(`${service.url}/api/v1/profile`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
};

const tokenNamed = async (tokenId: string) =>
  (await tokenStore(service.context.table).list(account)).find((token) => token.tokenId === tokenId);

it('`token create` creates a token that the API accepts immediately, with its webhook token', async () => {
  const created = await newToken();

  expect(Object.keys(created)).toEqual(['token', 'tokenId', 'webhookToken']);
  expect(created.token).toMatch(/^av_[0-9a-f]{64}$/);
  expect(created.webhookToken).toMatch(/^whk_[0-9a-f]{64}$/);
  expect(await profileStatus(created.token)).toBe(200);
});

it('`token create` prints a token as text, one line per field', async () => {
  const { exitCode, stdout } = await service.admin(creating('--scopes', 'read:profile'));

  expect(exitCode).toBe(0);
  const token = /^token +(av_\w+)\ntokenId +\S+\nwebhookToken +whk_\w+\n$/.exec(stdout)?.[1] ?? '';
  expect(await profileStatus(token)).toBe(200);
});

it('`token create` gives a token the named scopes, or all scopes', async () => {
  const some = await service.done<Created>(...creating('--scopes', 'generate:audio, read:tasks,read:tasks'));
  const all = await service.done<Created>(...creating('--scopes', 'all'));

  expect(new Set((await tokenNamed(some.tokenId))?.scopes)).toEqual(new Set(['generate:audio', 'read:tasks']));
  expect(await profileStatus(some.token)).toBe(403);
  expect(new Set((await tokenNamed(all.tokenId))?.scopes)).toEqual(new Set(scopes));
});

it('`token create` reads a date as the end of that day in UTC, and a date-time with its zone', async () => {
  const day = await newToken('--expires', '2091-01-31');
  const moment = await newToken('--expires', '2091-01-31T12:00:00+02:00');

  expect((await tokenNamed(day.tokenId))?.expiresAt).toBe(Date.UTC(2091, 0, 31, 23, 59, 59, 999));
  expect((await tokenNamed(moment.tokenId))?.expiresAt).toBe(Date.UTC(2091, 0, 31, 10));
});

it('`token create` creates tokens that are rejected once they expire', async () => {
  const inAnHour = timestamp(service.context.clock.now() + 3_600_000);
  const { token } = await newToken('--expires', inAnHour);

  expect(await profileStatus(token)).toBe(200);
  service.advance(3_600_001);
  expect(await profileStatus(token)).toBe(401);
});

it.each([
  ['a date in the past', ['--expires', '2020-01-31'], '--expires must be a future time'],
  ['a date-time in the past', ['--expires', '2020-01-31T00:00:00Z'], '--expires must be a future time'],
  ['a date that does not exist', ['--expires', '2091-02-30'], '--expires must be'],
  ['a date-time without a zone', ['--expires', '2091-01-31T12:00:00'], '--expires must be'],
  ['a word as a date', ['--expires', 'tomorrow'], '--expires must be'],
  [
    'an unknown scope',
    ['--scopes', 'read:profile,read:everything'],
    '--scopes must be all, or one or more of read:profile,',
  ],
  ['an empty scope', ['--scopes', 'read:profile,'], '--scopes must be'],
  ['a cap of no credits', ['--cap', '0'], '--cap must be an integer from 1 to 1,000,000,000'],
  ['a name of 101 characters', ['--name', 'n'.repeat(101)], '--name must be a string of 1 to 100 characters'],
])('`token create` rejects %s', async (_, changes, sentence) => {
  const options = { '--account': account, '--name': 'server', '--scopes': 'all', [changes[0] ?? '']: changes[1] ?? '' };
  const { exitCode, stdout, stderr } = await runCommandLine(['token', 'create', ...Object.entries(options).flat()]);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});

it('`token list` lists an account’s tokens without their secrets', async () => {
  const owner = await service.newAccount();
  const options = ['--account', owner, '--name', 'listed', '--scopes', 'read:tasks,read:profile'];
  const created = await service.done<Created>('token', 'create', ...options, '--expires', '2091-01-31', '--cap', '500');
  const month = monthAt(service.context.clock.now());
  await service.context.table.transact([spend({ tokenId: created.tokenId, month, credits: 7 }, 500)]);

  const asJson = await service.admin(['token', 'list', '--account', owner, '--json']);
  const asText = await service.admin(['token', 'list', '--account', owner]);
  const shown = await service.admin(['account', 'show', '--account', owner]);
  expect(JSON.parse(asJson.stdout)).toEqual({
    tokens: [
      {
        tokenId: created.tokenId,
        name: 'listed',
        mode: 'live',
        scopes: expect.arrayContaining(['read:profile', 'read:tasks']),
        expires: '2091-01-31T23:59:59.999Z',
        revoked: null,
        lastUsed: null,
        cap: 500,
        spentThisMonth: 7,
      },
    ],
  });
  expect(asText.stdout).toMatch(
    /^tokenId +name +mode +scopes +expires +revoked +lastUsed +cap +spentThisMonth\n\S+ +listed +live +.+ +2091\S+ +none +none +500 +7\n$/,
  );
  for (const { stdout } of [asJson, asText, shown]) expect(stdout).not.toMatch(/av_|whk_/);
});

it('`token create --test` creates a token that is listed as a test, and `credits fill-test` fills up its credits', async () => {
  const owner = await service.newAccount();
  const fill = ['credits', 'fill-test', '--account', owner];
  expect((await service.admin(fill)).stderr).toContain('has no test token yet');
  const options = ['--account', owner, '--name', 'tests', '--scopes', 'all'];
  const { tokenId } = await service.done<Created>('token', 'create', ...options, '--test');
  expect(await service.done('token', 'list', '--account', owner)).toMatchObject({
    tokens: [{ tokenId, mode: 'test' }],
  });
  const { accounts, clock, ids } = service.context;
  const spent = { accountId: testAccountOf(owner), amount: -7, reason: 'adjustment', at: clock.now() } as const;
  await accounts.post({ id: ids.next(), ...spent });
  expect(await service.done(...fill)).toEqual({ accountId: owner, testCredits: 10_000 });
});

it('`token list` reports that an account has no tokens', async () => {
  const owner = await service.newAccount();

  expect((await service.admin(['token', 'list', '--account', owner])).stdout).toBe('The account has no tokens.\n');
  expect(await service.done('token', 'list', '--account', owner)).toEqual({ tokens: [] });
});

it('`token set-cap` changes and removes the monthly cap of that token alone', async () => {
  const [capped, kept] = [await newToken('--cap', '500'), await newToken('--cap', '500')];
  const setting = ['token', 'set-cap', '--account', account, '--token', capped.tokenId, '--cap'];
  const capOf = async ({ tokenId }: Created) => (await tokenNamed(tokenId))?.monthlyCreditCap;

  expect(await capOf(capped)).toBe(500);
  expect(await service.done(...setting, '7')).toEqual({ tokenId: capped.tokenId, monthlyCreditCap: 7 });
  expect(await capOf(capped)).toBe(7);
  expect(await service.done(...setting, 'none')).toEqual({ tokenId: capped.tokenId, monthlyCreditCap: null });
  expect(await capOf(capped)).toBeUndefined();
  expect(await capOf(kept)).toBe(500);
});

it('`token set-cap` does not change a token of another account, and rejects a cap of no credits', async () => {
  const { tokenId } = await newToken('--cap', '500');
  const other = await service.newAccount();
  const setting = (owner: string, cap: string) =>
    service.admin(['token', 'set-cap', '--account', owner, '--token', tokenId, '--cap', cap]);

  expect(await setting(other, '7')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`There is no token ${tokenId} of account ${other}.`),
  });
  expect(await setting(account, '0')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--cap must be none, or an integer from 1 to'),
  });
  expect((await tokenNamed(tokenId))?.monthlyCreditCap).toBe(500);
});

it('`token revoke` revokes only that token, immediately and permanently', async () => {
  const [revoked, kept] = [await newToken(), await newToken()];
  expect(await profileStatus(revoked.token)).toBe(200);

  const revoking = ['token', 'revoke', '--account', account, '--token', revoked.tokenId];
  expect(await service.done(...revoking)).toEqual({ tokenId: revoked.tokenId, revoked: true });

  expect(await profileStatus(revoked.token)).toBe(401);
  expect(await profileStatus(kept.token)).toBe(200);
  const revokedAt = (await tokenNamed(revoked.tokenId))?.revokedAt;
  expect((await service.admin(revoking)).exitCode).toBe(0);
  expect((await tokenNamed(revoked.tokenId))?.revokedAt).toBe(revokedAt);
});

it('`token revoke` does not revoke a token of another account', async () => {
  const { token, tokenId } = await newToken();
  const other = await service.newAccount();
  const { exitCode, stderr } = await service.admin(['token', 'revoke', '--account', other, '--token', tokenId]);

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`There is no token ${tokenId} of account ${other}.`);
  expect(await profileStatus(token)).toBe(200);
});

it('`token revoke` asks for the token’s id if it gets the token itself, which it does not print', async () => {
  const { token } = await newToken();
  const mistakes = [
    ['token', 'revoke', '--account', account, '--token', token],
    ['token', 'revoke', '--account', account, token],
    ['token', 'revoke', token],
    [token],
  ];
  for (const mistake of mistakes) {
    const { exitCode, stdout, stderr } = await runCommandLine(mistake);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toContain(token);
  }
  const { stderr } = await runCommandLine(mistakes[0] ?? []);
  expect(stderr).toContain('--token must be an id as shown by "token list", not the token itself.');
});

it.each([
  ['create', ['--name', 'server', '--scopes', 'all']],
  ['list', []],
  ['set-cap', ['--token', '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d', '--cap', 'none']],
  ['revoke', ['--token', '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d']],
])('`token %s` reports a missing account', async (name, options) => {
  const unknownId = service.context.ids.next();
  const { exitCode, stderr } = await service.admin(['token', name, '--account', unknownId, ...options]);

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`There is no account ${unknownId}`);
});
