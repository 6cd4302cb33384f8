/** The commands for connected pages, on a running service with its sandbox of social networks. */
import { afterAll, expect, it } from 'vitest';
import { connectionKey } from '../../../shared/domain/inbox-keys.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { eventually } from '../../support/eventually.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
const account = await service.newAccount(0);
afterAll(() => service.close());

interface Shown {
  readonly state: string;
  readonly syncedAt: string | null;
  readonly fullySyncedAt: string | null;
  readonly fault: string | null;
  readonly tokenExpiresAt: string | null;
}

const show = (channel: string) => service.done<Shown>('connection', 'show', '--account', account, '--channel', channel);

const failure = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await service.admin(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return stderr;
};

it('`connection add` connects an account’s two sandbox pages, which are then listed and copied', async () => {
  const add = ['connection', 'add', '--account', account, '--network', 'sandbox'];
  const { connections } = await service.done<{ connections: { channel: string; network: string }[] }>(...add);
  expect(connections).toMatchObject([
    { channel: 'instagram', network: 'sandbox' },
    { channel: 'facebook', network: 'sandbox' },
  ]);
  const listed = await service.done<{ connections: object[] }>('connection', 'list');
  expect(listed.connections).toHaveLength(2);
  const copied = async () => ((await show('instagram')).syncedAt === null ? undefined : true);
  await eventually('the first synchronization', copied);
  expect(await show('instagram')).toMatchObject({ state: 'connected', fault: null });
});

it('`connection list` lists pages in the same order with and without --account, and reports a missing account', async () => {
  const list = async (...args: string[]) =>
    (await service.done<{ connections: { channel: string }[] }>('connection', 'list', ...args)).connections;
  expect((await list()).map(({ channel }) => channel)).toEqual(['instagram', 'facebook']);
  expect((await list('--account', account)).map(({ channel }) => channel)).toEqual(['instagram', 'facebook']);
  const unknownId = service.context.ids.next();
  expect(await failure('connection', 'list', '--account', unknownId)).toContain(`There is no account ${unknownId}`);
});

it('connection commands never show the token of a page, encrypted or not', async () => {
  const row = await service.context.table.get(connectionKey(account, 'instagram'));
  const { stdout } = await service.admin([
    'connection',
    'show',
    '--account',
    account,
    '--channel',
    'instagram',
    '--json',
  ]);
  expect(String(row?.sealedToken).length).toBeGreaterThan(20);
  expect(stdout).not.toContain(String(row?.sealedToken));
});

it('`connection show` shows when the token of a page expires, once the social network has reported it', async () => {
  expect((await show('instagram')).tokenExpiresAt).toBeNull();
  const connections = connectionStore(service.context.table);
  const connection = await connections.find({ accountId: account, channel: 'instagram' });
  if (!connection) throw new Error('the page is not connected');
  expect(await connections.save({ ...connection, tokenExpiresAt: Date.parse('2027-01-22T00:00:00Z') })).toBeDefined();
  expect((await show('instagram')).tokenExpiresAt).toBe('2027-01-22T00:00:00.000Z');
});

it('the connection command can request a full synchronization', async () => {
  const comparedAt = async () => (await show('facebook')).fullySyncedAt ?? undefined;
  const before = await eventually('the first synchronization', comparedAt);
  await service.done('connection', 'sync', '--account', account, '--channel', 'facebook');
  const again = async () => {
    const after = await comparedAt();
    return after !== undefined && after > before ? after : undefined;
  };
  await eventually('the synchronization', again);
});

it('the connection command removes a page, and says so if none was connected', async () => {
  const page = ['--account', account, '--channel', 'facebook'];
  expect(await service.done<Shown>('connection', 'remove', ...page)).toMatchObject({ state: 'erasing' });
  expect(await failure('connection', 'sync', ...page)).toContain('is being erased');
  expect(await failure('connection', 'add', '--account', account, '--network', 'sandbox')).toContain(
    'The instagram page is connected. The inbox of the page that was connected before is still being erased',
  );
  const other = await service.newAccount(0);
  expect(await failure('connection', 'remove', '--account', other, '--channel', 'facebook')).toContain(
    `There is no facebook page connected to account ${other}.`,
  );
});
