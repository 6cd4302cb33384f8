/** Connecting and disconnecting pages: their owners, their stored tokens, and concurrent changes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  connectionKey,
  conversationKey,
  conversationsOwner,
  messageKey,
  postKey,
  postsOwner,
} from '../../../../shared/domain/inbox-keys.ts';
import { indexes } from '../../../../shared/domain/index-keys.ts';
import {
  accessOf,
  type ConnectNeeds,
  connectPage,
  disconnectPage,
} from '../../../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../../../shared/domain/piloto/pages/connection-store.ts';
import { eraseInbox } from '../../../../shared/domain/piloto/pages/erase-inbox.ts';
import { secretBoxOf } from '../../../../shared/platform/secret-box.ts';
import { settingsOf, settingVariables } from '../../../../shared/platform/settings.ts';
import { fault, type ModelNetwork, modelNetwork, tokenOf } from '../../../support/model-network.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';
import { type SteppedClock, stillClock } from '../../../support/stepped-clock.ts';
import { testIds, testTable } from '../../../support/test-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'connections-'));
let clock: SteppedClock;
let network: ModelNetwork;
let sent: object[];
let needs: ConnectNeeds;

writeFileSync(join(folder, 'key'), 'a'.repeat(64));
const database = await testTable();
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  clock = stillClock();
  sent = [];
  network = modelNetwork(() => clock.now());
  needs = {
    clock,
    connections: connectionStore(database.table),
    inboxQueue: { send: async (message) => void sent.push(message) },
    logger: new RecordingLogger(),
    secretBox: secretBoxOf({ settings: settingsOf({ [settingVariables.credentialsKey]: join(folder, 'key') }) }),
    socialNetwork: network,
  };
});

/** A page that is not connected, and an account without connections. */
const strangers = () => {
  const [accountId, pageId] = [testIds.next(), testIds.next()];
  network.addPage(pageId);
  return {
    accountId,
    pageId,
    grant: { accountId, channel: 'instagram', network: 'sandbox', accessToken: tokenOf(pageId) } as const,
  };
};

const idOf = (accountId: string) => ({ accountId, channel: 'instagram' }) as const;

test('connecting a page calls the social network at once, even if the page or the app is close to a rate limit', async () => {
  const { grant } = strangers();
  const awaited: unknown[] = [];
  const socialNetwork: ModelNetwork = {
    ...network,
    page: (access) => {
      awaited.push(access.isAwaited);
      return network.page(access);
    },
    tokenDetails: (access) => {
      awaited.push(access.isAwaited);
      return network.tokenDetails(access);
    },
  };
  await connectPage({ ...needs, socialNetwork }, grant);
  expect(awaited).toEqual([true, true]);
});

test('connecting a page stores the page of the token and requests its first synchronization', async () => {
  const { accountId, pageId, grant } = strangers();
  const connection = await connectPage(needs, grant);
  expect(connection).toMatchObject({ pageId, name: `Page ${pageId}`, state: 'connected', dueAt: clock.now() });
  expect(await needs.connections.of(accountId)).toEqual([connection]);
  expect(await needs.connections.accountOf('instagram', pageId)).toBe(accountId);
  expect(sent).toEqual([{ kind: 'work', ...idOf(accountId) }]);
});

test('connecting a page encrypts the token so that only this connection can use it', async () => {
  const { accountId, pageId, grant } = strangers();
  const connection = await connectPage(needs, grant);
  const row = JSON.stringify(await database.table.get(connectionKey(accountId, 'instagram')));
  expect(row).not.toContain(tokenOf(pageId));
  expect((await accessOf(needs, connection)).accessToken).toBe(tokenOf(pageId));
  await expect(accessOf(needs, { ...connection, accountId: testIds.next() })).rejects.toThrow();
});

test('connecting a page works while the queue is down, because the schedule finds the due synchronization', async () => {
  const { accountId, grant } = strangers();
  const inboxQueue = { send: () => Promise.reject(new Error('the queue is down')) };
  await connectPage({ ...needs, inboxQueue }, grant);
  const due = await Array.fromAsync(needs.connections.due(clock.now()));
  expect(due).toContainEqual(idOf(accountId));
});

test('connecting a page again gives it a new token and keeps the time of the first connection', async () => {
  const { accountId, grant } = strangers();
  const first = await connectPage(needs, grant);
  clock.advance(60_000);
  const second = await connectPage(needs, grant);
  expect(second).toMatchObject({ connectedAt: first.connectedAt, state: 'connected', version: first.version + 1 });
  expect(second.sealedToken).not.toBe(first.sealedToken);
  expect(await needs.connections.of(accountId)).toHaveLength(1);
});

test('connecting a page again retries while a synchronization changes the connection, and eventually gives up', async () => {
  const { accountId, grant } = strangers();
  await connectPage(needs, grant);
  const changing = (times: number): ConnectNeeds => {
    let left = times;
    const save: typeof needs.connections.save = async (...given) => {
      const current = left > 0 && (await needs.connections.find(idOf(accountId)));
      left -= 1;
      if (current) await needs.connections.save({ ...current, leasedUntil: clock.now() + left });
      return needs.connections.save(...given);
    };
    return { ...needs, connections: { ...needs.connections, save } };
  };
  expect(await connectPage(changing(9), grant)).toMatchObject({ state: 'connected' });
  await expect(connectPage(changing(10), grant)).rejects.toMatchObject({ refusal: 'changing' });
});

test('connecting a page again as another user removes the former user’s id', async () => {
  const { accountId, pageId, grant } = strangers();
  const [former, latter] = [testIds.next(), testIds.next()];
  const connectAs = (userId: string) =>
    connectPage({ ...needs, socialNetwork: { ...network, tokenDetails: async () => ({ userId }) } }, grant);
  await connectAs(former);
  await connectAs(latter);
  const owners = [former, latter, pageId].map((id) => needs.connections.accountsOf('instagram', id));
  expect(await Promise.all(owners)).toEqual([[], [accountId], [accountId]]);
});

test('a token that the social network does not accept cannot be used to connect a page', async () => {
  const { accountId, grant } = strangers();
  await expect(connectPage(needs, { ...grant, accessToken: 'outdated' })).rejects.toMatchObject({ reason: 'revoked' });
  expect(await needs.connections.of(accountId)).toEqual([]);
});

test('an account can connect one page of each channel', async () => {
  const { accountId, grant } = strangers();
  await connectPage(needs, grant);
  const other = { ...strangers().grant, accountId };
  await expect(connectPage(needs, other)).rejects.toMatchObject({ refusal: 'other-page' });
  await connectPage(needs, { ...other, channel: 'facebook' });
  expect(await needs.connections.of(accountId)).toHaveLength(2);
});

test('a page belongs to one account only, even if another account holds a token of it', async () => {
  const { accountId, pageId, grant } = strangers();
  await connectPage(needs, grant);
  const thief = testIds.next();
  await expect(connectPage(needs, { ...grant, accountId: thief })).rejects.toMatchObject({ refusal: 'other-account' });
  expect(await needs.connections.of(thief)).toEqual([]);
  expect(await needs.connections.accountOf('instagram', pageId)).toBe(accountId);
});

test('when accounts connect the same page concurrently, exactly one gets it', async () => {
  const { pageId, grant } = strangers();
  const accounts = Array.from({ length: 6 }, () => testIds.next());
  const outcomes = await Promise.allSettled(accounts.map((accountId) => connectPage(needs, { ...grant, accountId })));
  const winners = accounts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  expect(winners).toEqual([await needs.connections.accountOf('instagram', pageId)]);
});

test('disconnecting deletes page and token at once, unsubscribes from events and requests the erasure of the copy', async () => {
  const { accountId, pageId, grant } = strangers();
  const page = network.addPage(pageId);
  page.isSubscribed = true;
  await connectPage(needs, grant);
  const ended = await disconnectPage(needs, idOf(accountId));
  expect(ended).toMatchObject({ state: 'erasing', endedAt: clock.now() });
  expect(ended).not.toHaveProperty('sealedToken');
  expect(page.isSubscribed).toBe(false);
  expect(await needs.connections.accountOf('instagram', pageId)).toBeUndefined();
  expect(await database.table.get(connectionKey(accountId, 'instagram'))).not.toHaveProperty('sealedToken');
  expect(sent).toHaveLength(2);
});

test('a page can be disconnected when its social network does not respond', async () => {
  const { accountId, grant } = strangers();
  await connectPage(needs, grant);
  network.interrupt = () => {
    throw fault('unavailable');
  };
  expect(await disconnectPage(needs, idOf(accountId))).toMatchObject({ state: 'erasing' });
});

test('a disconnected page can be connected to another account at once, but to the same one only after its copy is erased', async () => {
  const { accountId, grant } = strangers();
  await connectPage(needs, grant);
  await disconnectPage(needs, idOf(accountId));
  await expect(connectPage(needs, grant)).rejects.toMatchObject({ refusal: 'erasing' });
  expect(await connectPage(needs, { ...grant, accountId: testIds.next() })).toMatchObject({ state: 'connected' });
});

test('disconnecting a page twice, or one that was never connected, changes nothing', async () => {
  const { accountId, grant } = strangers();
  expect(await disconnectPage(needs, idOf(accountId))).toBeUndefined();
  await connectPage(needs, grant);
  const ended = await disconnectPage(needs, idOf(accountId));
  clock.advance(1000);
  expect(await disconnectPage(needs, idOf(accountId))).toEqual(ended);
});

/** A conversation with the given number of messages, and a post. */
async function fill(accountId: string, channel: string, messages: number): Promise<void> {
  const [conversationId, postId] = [testIds.next(), testIds.next()];
  const rows = [
    { ...conversationKey(accountId, conversationId), channel, [indexes.byOwner.pk]: conversationsOwner(accountId) },
    { ...postKey(accountId, postId), channel, [indexes.byOwner.pk]: postsOwner(accountId) },
  ].map((row) => ({ ...row, [indexes.byOwner.sk]: row.pk }));
  const children = Array.from({ length: messages }, (_, index) => messageKey(accountId, conversationId, `m${index}`));
  for (const Item of [...rows, ...children]) await database.table.put({ Item });
}

/** The remaining rows below an account's listed conversations and posts. */
async function left(accountId: string): Promise<string[]> {
  const owners = [conversationsOwner(accountId), postsOwner(accountId)];
  const found = await Promise.all(
    owners.map((owner) =>
      database.table.list(
        {
          IndexName: 'byOwner',
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
          ExpressionAttributeValues: { ':pk': owner },
        },
        { limit: 100, offset: 0 },
      ),
    ),
  );
  return found.flat().map(({ pk }) => String(pk));
}

test('erasing an inbox deletes every conversation, message and post of its channel, and none of another channel', async () => {
  const accountId = testIds.next();
  await fill(accountId, 'instagram', 230);
  const [conversation = ''] = await left(accountId);
  await fill(accountId, 'facebook', 1);
  const isErased = await eraseInbox({ clock, table: database.table }, idOf(accountId), clock.now() + 1000);
  expect(isErased).toBe(true);
  expect(await left(accountId)).toHaveLength(2);
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': conversation } };
  expect(await database.table.list(query, { limit: 10, offset: 0 })).toEqual([]);
});

test('erasing an inbox reports that data remains when its time runs out', async () => {
  const accountId = testIds.next();
  await fill(accountId, 'instagram', 1);
  expect(await eraseInbox({ clock, table: database.table }, idOf(accountId), clock.now())).toBe(false);
  expect(await left(accountId)).toHaveLength(2);
});
