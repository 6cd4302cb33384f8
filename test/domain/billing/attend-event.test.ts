/** What becomes of an event that cannot be processed at once. */
import { expect, test } from 'vitest';
import { processOrEnqueue } from '../../../shared/domain/billing/attend-event.ts';
import type { Queue } from '../../../shared/platform/queue.ts';

test('an event whose gateway does not respond in time is enqueued', async () => {
  const sent: unknown[] = [];
  const queue = {
    send: async (message: unknown) => {
      sent.push(message);
    },
  } as Partial<Queue> as Queue;
  const event = { gateway: 'stripe', eventId: 'evt_1', subject: 'cs_1' } as const;
  const never = new Promise<never>(() => {});
  const keepsAlive = setInterval(() => {}, 1000);
  await processOrEnqueue({ logger: { warn: () => undefined }, queue }, event, () => never, 1);
  clearInterval(keepsAlive);
  expect(sent).toEqual([event]);
});
