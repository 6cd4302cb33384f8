import { afterAll, expect, it } from 'vitest';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
afterAll(() => service.close());

const create = ['account', 'create', '--name', 'José da Silva', '--email', 'jose@example.com', '--credits', '50'];
const { accountId } = await service.done<{ accountId: string }>(...create);
const newToken = ['token', 'create', '--account', accountId, '--name', 'server', '--scopes', 'all'];
const { token, tokenId } = await service.done<{ token: string; tokenId: string }>(...newToken);

const owner = { accountId, email: 'jose@example.com', name: 'José da Silva' };
const find = (text: string, input = '') => service.admin(['find', text, '--json'], input);

it('`find` prints what matches a text, with the account that it belongs to', async () => {
  const { stdout } = await service.admin(['find', 'JOSE']);
  expect(stdout).toMatch(/^kind +id +state +about +createdAt +accountId +email +name\n/);
  expect(stdout).toContain(`account  ${accountId}  no plan  balance 50`);
  expect(JSON.parse((await find(token.slice(-8))).stdout)).toEqual({
    found: [{ kind: 'token', id: tokenId, state: 'active', about: 'server', createdAt: expect.any(String), ...owner }],
    hasMore: false,
  });
  expect((await service.admin(['find', 'jose@example.com', '--csv'])).stdout).toBe(
    `kind,id,state,about,createdAt,email,name,accountId\r\naccount,${accountId},no plan,balance 50,${await createdAt()},jose@example.com,José da Silva,${accountId}\n`,
  );
});

const createdAt = async () => new Date((await service.context.accounts.find(accountId))?.createdAt ?? 0).toISOString();

it('`find` takes a whole token from standard input, so that it is not in the list of processes', async () => {
  expect(JSON.parse((await find('-', `${token}\n`)).stdout).found).toMatchObject([{ kind: 'token', id: tokenId }]);
  const { exitCode, stderr } = await find('-', '\n');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('standard input') });
});

it('`find` finds the task that a request created, by the X-Request-Id of its response', async () => {
  const response = await fetch(`${service.url}/api/v1/generate/voice`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-client-reference': 'Pedido 7',
    },
    body: JSON.stringify({ text: 'Olá', voice: 'sarah' }),
  });
  const { data } = (await response.json()) as { data: { taskId: string } };
  for (const text of [
    response.headers.get('x-request-id') ?? '',
    'pedido 7',
    `${service.url}/api/v1/tasks/${data.taskId}`,
  ]) {
    const { found } = JSON.parse((await find(text)).stdout) as { found: object[] };
    expect(found, text).toMatchObject([{ kind: 'task', id: data.taskId, ...owner }]);
  }
  const { tasks } = await service.done<{ tasks: object[] }>('task', 'list', '--account', accountId, '--type', 'voice');
  expect(tasks).toMatchObject([{ taskId: data.taskId, type: 'voice', reference: 'Pedido 7', tokenId }]);
});

it('`--account` is also the e-mail address of the owner, whatever its case, if one account has it', async () => {
  const show = (address: string) => service.admin(['account', 'show', '--account', address, '--json']);
  for (const address of [owner.email, 'Jose@Example.com']) {
    expect(JSON.parse((await show(address)).stdout), address).toMatchObject({ accountId });
  }
  await service.done('account', 'note', '--account', owner.email);
  expect(await service.done('act', 'list', '--account', owner.email)).toMatchObject({
    acts: expect.arrayContaining([expect.objectContaining({ act: 'addNote', subject: `account ${accountId}` })]),
  });
  for (const address of ['José@example.com', 'nobody@example.com']) {
    expect(await show(address)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No account has an owner with this e-mail address'),
    });
  }
  const twice = ['account', 'create', '--name', 'Bia', '--email', 'bia@example.com'];
  const ids = [
    (await service.done<{ accountId: string }>(...twice)).accountId,
    (await service.done<{ accountId: string }>(...twice, '--replace')).accountId,
  ];
  const { stderr } = await show('bia@example.com');
  expect(stderr).toContain('2 accounts have an owner with this e-mail address');
  for (const id of ids) expect(stderr).toContain(id);
  const test = await show(`test-${accountId}`);
  expect(test).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--account must be an id') });
});

it('`find` says what it searches when it finds nothing', async () => {
  const { exitCode, stdout } = await service.admin(['find', 'unknown@example.com']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Nothing was found.') });
});

it('`account index` says how many rows it has read and made searchable', async () => {
  const { stdout } = await service.admin(['account', 'index']);
  expect(stdout).toMatch(/^\d+ rows were read, and 0 of them made findable\.\n$/);
});
