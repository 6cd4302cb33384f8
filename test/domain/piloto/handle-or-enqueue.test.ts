/** Batches of events are answered in time, and applied once whatever fails, however they are split. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InboxMessage } from '../../../shared/contracts/inbox-messages.ts';
import { handleEnqueued, handleOrEnqueue } from '../../../shared/domain/piloto/handle-or-enqueue.ts';
import type { SocialEvent } from '../../../shared/gateways/social-network.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { copyOf, type InboxScene } from './inbox-scene.ts';
import { useInboxScenes } from './use-inbox-scene.ts';

const scenes = useInboxScenes();

const eventOf = ({ page, clock }: InboxScene, index: number, text = `text ${index}`): SocialEvent => ({
  kind: 'message',
  channel: 'instagram',
  pageId: page.pageId,
  participantId: `person-${index % 2}`,
  message: {
    id: `m-${index}`,
    direction: 'inbound',
    text,
    attachments: [],
    status: 'delivered',
    createdAt: clock.now() + index,
  },
});

type EventsMessage = Extract<InboxMessage, { kind: 'events' }>;

/** A queue whose messages are read like those of the real one. */
function queued() {
  const messages: EventsMessage[] = [];
  return {
    messages,
    inboxQueue: {
      async send(given: object) {
        const message = InboxMessage().parse(JSON.parse(JSON.stringify(given)));
        if (message.kind === 'events') messages.push(message);
      },
    },
  };
}

/** A table whose transactions are slow, and fail as planned. */
const slow = (scene: InboxScene, takesMs: () => number, fails: () => boolean = () => false): Table => ({
  ...scenes.table,
  transact(actions) {
    scene.clock.advance(takesMs());
    return fails() ? Promise.reject(new Error('the table is down')) : scenes.table.transact(actions);
  },
});

test('a large batch of inbox events is acknowledged in time, and the rest of it is applied from the queue', async () => {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const events = Array.from({ length: 40 }, (_, index) => eventOf(scene, index));
  const needs = { ...scene.needs, inboxQueue, table: slow(scene, () => 500) };
  const begunAt = scene.clock.now();
  await handleOrEnqueue(needs, events);
  expect(scene.clock.now() - begunAt).toBeLessThanOrEqual(2500);
  expect(messages.flatMap((message) => message.events)).toHaveLength(36);
  expect(messages).toHaveLength(1);
  let rounds = 0;
  for (let next = messages.shift(); next; next = messages.shift()) {
    const startedAt = scene.clock.now();
    await handleEnqueued({ ...needs, table: slow(scene, () => 3000) }, next.events);
    expect(scene.clock.now() - startedAt).toBeLessThan(25_000);
    rounds += 1;
  }
  expect(rounds).toBeGreaterThan(4);
  const { messages: copied, problems } = await copyOf(scenes.table, scene.accountId);
  expect([copied.length, problems]).toEqual([40, []]);
});

test('a queue message contains inbox events of one page only, and at most a hundred kilobytes of them', async () => {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const large = Array.from({ length: 30 }, (_, index) => eventOf(scene, index, 'a'.repeat(9000)));
  const events = large.map((event, index) => (index % 3 === 0 ? { ...event, pageId: 'of another' } : event));
  await handleOrEnqueue({ ...scene.needs, inboxQueue, table: slow(scene, () => 2000) }, events);
  expect(messages.flatMap((message) => message.events)).toHaveLength(28);
  for (const { events: part } of messages) {
    expect(new Set(part.map(({ pageId }) => pageId)).size).toBe(1);
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(110_000);
  }
  expect(messages).toHaveLength(3);
});

test('a batch of inbox events that cannot be applied is enqueued in a few queue messages', async () => {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const events = Array.from({ length: 200 }, (_, index) => eventOf(scene, index));
  const table = slow(
    scene,
    () => 1,
    () => true,
  );
  await handleOrEnqueue({ ...scene.needs, inboxQueue, table }, events);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.events).toHaveLength(200);
  expect(JSON.stringify(scene.logger.warnings)).not.toContain('text 1');
});

test('an inbox event that fails among others is enqueued again alone; one that fails alone is left to the queue’s retries', async () => {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const events = [0, 1, 2].map((index) => eventOf(scene, index));
  const failures = [false, true];
  const table = slow(
    scene,
    () => 1,
    () => failures.shift() ?? false,
  );
  await handleEnqueued({ ...scene.needs, inboxQueue, table }, events);
  expect(messages).toMatchObject([{ events: [{ message: { id: 'm-1' } }] }]);
  const down = slow(
    scene,
    () => 1,
    () => true,
  );
  await expect(handleEnqueued({ ...scene.needs, table: down }, events.slice(1, 2))).rejects.toThrow('is down');
});

test('the time spent enqueueing failed inbox events counts towards the time limit of their batch', async () => {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const events = Array.from({ length: 100 }, (_, index) => eventOf(scene, index));
  const table = slow(
    scene,
    () => 1,
    () => true,
  );
  const send: typeof inboxQueue.send = (message) => {
    scene.clock.advance(1000);
    return inboxQueue.send(message);
  };
  const startedAt = scene.clock.now();
  await handleEnqueued({ ...scene.needs, inboxQueue: { send }, table }, events);
  expect(scene.clock.now() - startedAt).toBeLessThan(25_000);
  expect(messages.flatMap((message) => message.events)).toHaveLength(100);
  expect(messages.slice(0, -1).every((message) => message.events.length === 1)).toBe(true);
  expect(messages.length).toBeGreaterThan(10);
});

const batch = fc.record({
  size: fc.integer({ min: 1, max: 12 }),
  takesMs: fc.infiniteStream(fc.constantFrom(1, 900, 7000)),
  failures: fc.array(fc.boolean(), { maxLength: 12 }),
  repeats: fc.infiniteStream(fc.boolean()),
});

type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value : never;

/** Receives until the queue is empty; it delivers messages twice, and again if they fail. */
async function appliedOnce(given: Batch): Promise<void> {
  const scene = await scenes.newScene();
  const { inboxQueue, messages } = queued();
  const [times, repeats] = [given.takesMs[Symbol.iterator](), given.repeats[Symbol.iterator]()];
  const failures = [...given.failures];
  const table = slow(
    scene,
    () => times.next().value ?? 1,
    () => failures.shift() ?? false,
  );
  const needs = { ...scene.needs, inboxQueue, table };
  const events = Array.from({ length: given.size }, (_, index) => eventOf(scene, index));
  await handleOrEnqueue(needs, events);
  for (let next = messages.shift(); next; next = messages.shift()) {
    const current = next;
    await handleEnqueued(needs, current.events).catch(() => messages.push(current));
    if (repeats.next().value) await handleEnqueued(needs, current.events).catch(() => undefined);
  }
  const { messages: copied, problems } = await copyOf(scenes.table, scene.accountId);
  expect(problems).toEqual([]);
  expect(copied.map(({ id }) => id)).toEqual(events.map((_, index) => `m-${index}`).toSorted());
}

test('every inbox event of a batch is applied once, despite slowness, failures and double deliveries', async () => {
  await fc.assert(fc.asyncProperty(batch, appliedOnce), { numRuns: 12 });
}, 120_000);
