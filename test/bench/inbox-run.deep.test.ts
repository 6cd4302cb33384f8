/**
 * The requests to social networks and the capacity units that the inbox of a connected page uses are those in
 * docs/scale.md.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { SandboxPage } from '../../fakes/meta/meta-records.ts';
import { sandboxTokens } from '../../infra/cli/sandbox-pages.ts';
import { inboxIdOf } from '../../shared/domain/inbox-keys.ts';
import { handleSocialEvent } from '../../shared/domain/piloto/handle-social-event.ts';
import { connectPage } from '../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { type WorkNeeds, workOnConnection } from '../../shared/domain/piloto/pages/work-on-connection.ts';
import { scheduleWork } from '../../shared/domain/piloto/synchronization/schedule-work.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import type { TestAccount } from '../support/test-service.ts';
import { countedService } from '../support/trips.ts';

interface InboxUse {
  readonly graphRequests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const channel = 'facebook';

let account: TestAccount;
let needs: WorkNeeds;
let page: SandboxPage;

const host = await countedService(0);
afterAll(() => host.close());

async function used(work: () => Promise<unknown>): Promise<InboxUse> {
  const { requests } = host.service.social;
  const before = requests.length;
  const trips = await host.trips(work);
  const units = (isRead: boolean): number =>
    trips
      .filter(({ operation }) => /Get|Query/.test(operation) === isRead)
      .reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);
  return { graphRequests: requests.length - before, readUnits: units(true), writeUnits: units(false) };
}

/** Does what is due after some time, as the schedule and the queue would do it. */
async function later(ms: number): Promise<InboxUse> {
  host.clock.advance(ms);
  return used(async () => {
    await scheduleWork(needs);
    await workOnConnection(needs, { ...account, channel });
  });
}

beforeEach(async () => {
  const { context, social } = host.service;
  account = await host.account({ planId: 'business' });
  const { accountId } = account;
  const table = dynamoTable(context.settings.tableName, host.counted);
  const inboxQueue = { send: async () => undefined };
  const shared = { ...context, table, inboxQueue, logger: new RecordingLogger() };
  const ports = { secretBox: secretBoxOf(context), socialNetwork: socialNetwork(context) };
  const all = connectionStore(table);
  // Only this test's page is counted, because other tests have connected pages, too.
  const due: typeof all.due = async function* (now) {
    for await (const one of all.due(now)) if (one.accountId === accountId) yield one;
  };
  needs = { ...shared, ...ports, connections: { ...all, due } };
  const grant = (await sandboxTokens(context, accountId)).find((one) => one.channel === channel);
  const own = social.world.shopOf(accountId).find((one) => one.channel === channel);
  if (!grant || !own) throw new Error('the shop has no such page');
  page = own;
  for (const post of social.world.posts(page)) social.world.addComment(post, null, 'Obrigado a todos!');
  await connectPage(needs, { accountId, network: 'sandbox', ...grant });
  await workOnConnection(needs, { accountId, channel });
  await later(60 * minute);
  // From now on, no events of changes are delivered.
  social.world.subscribe(page, []);
});

test('an inbox synchronization without changes uses the expected numbers of requests and capacity units', async () => {
  // Reads the schedule, the connection, and the stored data of the three newest posts and conversations.
  expect(await later(60 * minute)).toEqual({ graphRequests: 2, readUnits: 1.5 + 1 + 3 + 1.5 + 3, writeUnits: 12 });
});

test('comparing an inbox that matches the social network uses the expected numbers of requests and capacity units', async () => {
  const { world } = host.service.social;
  const [people, posts] = [world.people(page), world.posts(page)];
  const messages = people.flatMap((person) => world.messagesWith(person)).length;
  const comments = posts.flatMap(({ id }) => world.comments(id)).length;
  expect([people.length, posts.length]).toEqual([3, 3]);
  expect(await later(day)).toEqual({
    // Requests the page twice, its two lists, each conversation, each post and each participant.
    graphRequests: 2 + 2 + 3 + 3 + 3,
    // Reads what a synchronization reads except its posts, plus the lists of the copy, three rows of a conversation and
    // four of a post, each message and comment, and the participants once more.
    readUnits: 7 + 1.5 + 3 * 3 + messages + 3 * 4 + comments + 3,
    // Writes two units for each participant whose profile is stored.
    writeUnits: 18 + 2 * 3,
  });
});

test('an incoming message, comment and read receipt each use the expected number of capacity units', async () => {
  const { world } = host.service.social;
  const [[person], [post]] = [world.people(page), world.posts(page)];
  if (!person || !post) throw new Error('the shop is empty');
  const now = host.clock.now();
  const ofPage = { channel, pageId: page.id } as const;
  const message = {
    id: 'new',
    direction: 'inbound',
    text: 'Bom dia!',
    attachments: [],
    status: 'sent',
    createdAt: now,
  } as const;
  const author = { id: person.id, username: person.username };
  const marks = { isOwn: false, hidden: false, liked: false, likeCount: 0 };
  const comment = { id: 'new', postId: post.id, parentId: null, author, ...marks, text: 'Lindo!', createdAt: now };
  const report = (event: Parameters<typeof handleSocialEvent>[1]) => used(() => handleSocialEvent(needs, event));
  const participantId = person.id;
  expect(await report({ kind: 'message', ...ofPage, participantId, message })).toEqual({
    graphRequests: 0,
    readUnits: 4,
    writeUnits: 10,
  });
  expect(await report({ kind: 'comment', ...ofPage, comment })).toEqual({
    graphRequests: 0,
    readUnits: 3,
    writeUnits: 8,
  });
  expect(await report({ kind: 'message-status', ...ofPage, participantId, status: 'read', until: now })).toEqual({
    graphRequests: 0,
    readUnits: 2,
    writeUnits: 2,
  });
});

test('listing messages and sending one use the expected numbers of requests and capacity units', async () => {
  const { world } = host.service.social;
  const person = world.people(page).find((one) => world.canAnswer(one));
  if (!person) throw new Error('there is no conversation to answer');
  const { token } = account;
  const params = { conversationId: inboxIdOf({ channel, pageId: page.id }, person.id) };
  await host.call('listPlans');
  const count = world.messagesWith(person).length;
  expect(await used(() => host.call('listMessages', { token, params }))).toEqual({
    graphRequests: 0,
    readUnits: 4 + count,
    writeUnits: 1,
  });
  const request = { token, params, body: { text: 'Sim!' }, headers: { 'idempotency-key': 'one' } };
  expect(await used(() => host.call('sendMessage', request))).toEqual({
    graphRequests: 1,
    readUnits: 5,
    writeUnits: 13,
  });
});

test('a new message causes four extra requests in later inbox synchronizations, and a new comment causes one', async () => {
  const { world } = host.service.social;
  const [[person], [post]] = [world.people(page), world.posts(page)];
  if (!person || !post) throw new Error('the shop is empty');
  /** How many more requests than usual the synchronizations make in the 39 minutes after a change. */
  const extraAfter = async (happen: () => unknown) => {
    host.clock.advance(minute);
    happen();
    let requests = (await later(4 * minute)).graphRequests - 2;
    for (let run = 0; run < 7; run += 1) requests += (await later(5 * minute)).graphRequests - 2;
    return requests;
  };
  expect(await extraAfter(() => world.write(person, 'Bom dia!'))).toBe(4);
  expect(await extraAfter(() => world.addComment(post, person.id, 'Lindo!'))).toBe(1);
});
