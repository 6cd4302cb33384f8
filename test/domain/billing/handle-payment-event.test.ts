/** Events that cannot be processed immediately are enqueued. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EventOutcome, processOrEnqueue } from '../../../shared/domain/billing/handle-payment-event.ts';
import type { Queue } from '../../../shared/platform/queue.ts';

const event = { gateway: 'stripe', eventId: 'evt_1', subject: 'cs_1' } as const;
const never = new Promise<never>(() => {});

/** Keeps the process alive, which a pending time limit alone would not. */
let keepsAlive: NodeJS.Timeout;
beforeEach(() => {
  keepsAlive = setInterval(() => {}, 1000);
});
afterEach(() => clearInterval(keepsAlive));

/** The enqueued messages and the logged lines about them. */
async function processed(process: () => Promise<EventOutcome>, limitMs?: number) {
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const queue = { send: async (message: unknown) => void sent.push(message) } as Partial<Queue> as Queue;
  const logger = { warn: (_message: unknown, ...data: unknown[]) => void logged.push(...data) };
  await processOrEnqueue({ logger, queue }, event, process, limitMs);
  return { sent, logged };
}

test('a payment event is enqueued when its gateway does not respond in time', async () => {
  expect(await processed(() => never, 1)).toEqual({ sent: [event], logged: [{ ...event, outcome: 'slow' }] });
});

test('a payment event that is processed in time is not enqueued', async () => {
  expect(await processed(async () => 'done')).toEqual({ sent: [], logged: [] });
});

test.for(['too-early', 'unknown'] as const)(
  'a payment event that cannot be processed yet is enqueued (outcome: %s)',
  async (outcome) => {
    expect(await processed(async () => outcome)).toEqual({ sent: [event], logged: [{ ...event, outcome }] });
  },
);

test('a payment event whose processing fails is enqueued, whether it fails before or after the time limit', async () => {
  const error = new Error('no connection');
  const failing = async (): Promise<never> => {
    throw error;
  };
  expect(await processed(failing)).toEqual({ sent: [event], logged: [{ ...event, error }] });
  const late = Promise.withResolvers<EventOutcome>();
  expect((await processed(() => late.promise, 1)).sent).toEqual([event]);
  // An unhandled rejection would fail the test.
  late.reject(error);
  await expect(late.promise).rejects.toThrow('no connection');
});

test('a payment event that can be neither processed nor enqueued is rejected, so the gateway resends it', async () => {
  const queue = {
    send: async () => {
      throw new Error('the queue is down');
    },
  } as Partial<Queue> as Queue;
  const done = processOrEnqueue({ logger: { warn: () => undefined }, queue }, event, async () => 'unknown');
  await expect(done).rejects.toMatchObject({ kind: 'dependency-unavailable' });
});
