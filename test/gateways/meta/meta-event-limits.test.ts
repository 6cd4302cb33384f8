/** How much of one request of Meta is read. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { maxAttachments } from '../../../shared/contracts/channels.ts';
import { appSecret, networkOn } from './meta-scene.ts';

const network = networkOn('http://127.0.0.1:9');

function eventsIn(entry: readonly unknown[]) {
  const body = JSON.stringify({ object: 'page', entry });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return network.eventsOf({ headers: { 'x-hub-signature-256': `sha256=${signature}` }, body });
}

describe('a signed body of Meta', () => {
  const about = { sender: { id: '5' }, recipient: { id: '17' }, timestamp: 1_795_000_000_123 };
  const reading = { ...about, read: {} };
  const entryOf = (pageId: number, updates: object = { messaging: [reading] }) => ({ id: pageId, time: 1, ...updates });
  const repeated = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one);

  test('is read up to its thousandth update, in whichever entries these are', async () => {
    const pages = Array.from({ length: 1100 }, (_, index) => entryOf(100 + index));
    expect(await eventsIn(pages)).toHaveLength(1000);
    expect(await eventsIn([entryOf(101, { messaging: repeated(1100, reading) })])).toHaveLength(1000);
    const mixed = [entryOf(101, { messaging: repeated(400, reading), changes: repeated(400, 0) }), ...pages];
    expect(await eventsIn(mixed)).toHaveLength(600);
  });

  test.for([
    ['an unreadable update', (count: number) => [entryOf(101, { messaging: repeated(count, 0) })]],
    ['an unreadable entry', (count: number) => repeated(count, 0)],
    ['an entry without updates', (count: number) => repeated(count, entryOf(101, {}))],
  ] as const)('counts %s as one of the updates that are read', async ([, entries]) => {
    expect(await eventsIn([...entries(999), entryOf(102), entryOf(103)])).toMatchObject([{ pageId: '102' }]);
    expect(await eventsIn([...entries(1000), entryOf(102)])).toEqual([]);
  });

  test('is read up to the number of attachments that a message can have', async () => {
    const image = { type: 'image', payload: { url: 'https://cdn.example/1.jpg' } };
    const attachments = [...repeated(maxAttachments - 1, {}), image, image];
    const sent = { ...about, message: { mid: 'm1', attachments } };
    expect(await eventsIn([entryOf(101, { messaging: [sent] })])).toMatchObject([
      { message: { attachments: [{ url: image.payload.url }] } },
    ]);
  });
});
