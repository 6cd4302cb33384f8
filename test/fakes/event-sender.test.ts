/** The ways in which sandboxes deliver their events, as the docs describe them. */
import { afterAll, expect, test } from 'vitest';
import { type EventDelivery, eventSender } from '../../fakes/event-sender.ts';
import { localServer } from '../support/local-server.ts';

const now = 1_800_000_000_000;

const receiver = await localServer((request, response) => {
  const { secret, at } = request.headers;
  response.writeHead(secret === 'the-secret' && Number(at) === now ? 200 : 401).end();
});
const sender = eventSender<string>({
  secret: 'the-secret',
  now: () => now,
  lateMs: 1,
  requestFor: (change, eventId, { secret, signedAt }) => ({
    url: receiver.url,
    headers: { secret, at: String(signedAt), id: eventId },
    body: change,
  }),
});
afterAll(async () => {
  sender.close();
  await receiver.close();
});

test.for<[EventDelivery, (number | null)[]]>([
  ['at once', [200]],
  ['late', [200]],
  ['twice', [200, 200]],
  ['lost', []],
  ['stale', [401]],
  ['forged', [401]],
])('a sandbox event that is sent “%s” gets responses with the statuses %j', async ([delivery, expected]) => {
  sender.send(delivery, delivery);
  const sent = (await sender.allSent()).filter(({ change }) => change === delivery);
  expect(sent.map(({ status }) => status)).toEqual(expected);
  expect(new Set(sent.map(({ headers }) => headers.id)).size).toBe(Math.min(expected.length, 1));
});

test('a sandbox event that is sent out of order arrives after the next event', async () => {
  sender.send('first', 'reordered');
  sender.send('second', 'at once');
  const bodies = (await sender.allSent()).map(({ body }) => body);
  expect(bodies.slice(-2)).toEqual(['second', 'first']);
});
