import {
  GetQueueAttributesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Invoke } from '../../../infra/local/lambda-host.ts';
import { startQueueConsumer } from '../../../infra/local/queue-consumer.ts';
import { type QueuesAndStorage, startQueuesAndStorage } from '../../../infra/local/queues-and-storage.ts';
import { systemClock } from '../../../shared/platform/clock.ts';

let services: QueuesAndStorage;
let sqs: SQSClient;
const consumers: { close(): Promise<void> }[] = [];

beforeAll(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});

afterAll(() => vi.unstubAllEnvs());

beforeEach(async () => {
  services = await startQueuesAndStorage({ visibilityTimeoutSeconds: 60 });
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', services.url);
  sqs = new SQSClient({});
});

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
  sqs.destroy();
  await services.close();
});

const send = (body: string, delaySeconds = 0): Promise<unknown> =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: services.queueUrls.webhooks,
      MessageBody: body,
      DelaySeconds: delaySeconds,
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
    }),
  );

/** Calls the handler with the body of each message. */
function consume(handler: (body: string, event: SQSEvent) => Promise<unknown>, concurrency = 50) {
  const invoke: Invoke = (_name, event) => handler((event as SQSEvent).Records[0]?.body ?? '', event as SQSEvent);
  const consumer = startQueueConsumer({
    queueUrl: services.queueUrls.webhooks,
    functionName: 'deliver-webhook',
    invoke,
    concurrency,
  });
  consumers.push(consumer);
  return consumer;
}

const settledQueue = { ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' };

async function countsOf(queueUrl: string): Promise<Record<string, string>> {
  const response = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }));
  return response.Attributes ?? {};
}

it('the queue consumer passes messages to its function one at a time as SQS events, and deletes each once it is handled', async () => {
  const events: SQSEvent[] = [];
  consume(async (_body, event) => events.push(event));
  await Promise.all(['a', 'b', 'c'].map((body) => send(body)));
  await vi.waitFor(async () => {
    expect(events).toHaveLength(3);
    expect(await countsOf(services.queueUrls.webhooks)).toMatchObject(settledQueue);
  }, 120_000);
  expect(events.map(({ Records }) => Records.length)).toStrictEqual([1, 1, 1]);
  expect(new Set(events.map(({ Records }) => Records[0]?.body))).toStrictEqual(new Set(['a', 'b', 'c']));
  expect(events[0]?.Records[0]).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:webhooks',
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    messageAttributes: { kind: { dataType: 'String', stringValue: 'test' } },
  });
});

it.each<[string, (event: SQSEvent) => unknown]>([
  ['reports it as failed', (event) => ({ batchItemFailures: [{ itemIdentifier: event.Records[0]?.messageId }] })],
  ['reports a failure with an unknown identifier', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
])(
  'the queue consumer delivers a message again after its visibility timeout if the function %s',
  async (_how, fail) => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const short = { QueueUrl: services.queueUrls.webhooks, Attributes: { VisibilityTimeout: '1' } };
    await sqs.send(new SetQueueAttributesCommand(short));
    const counts: string[] = [];
    consume(async (_body, event) => {
      counts.push(event.Records[0]?.attributes.ApproximateReceiveCount ?? '');
      return counts.length === 1 ? fail(event) : { batchItemFailures: [] };
    });
    await send('a');
    await vi.waitFor(() => expect(counts).toStrictEqual(['1', '2']), 120_000);
    await vi.waitFor(
      async () => expect(await countsOf(services.queueUrls.webhooks)).toMatchObject(settledQueue),
      120_000,
    );
    stderr.mockRestore();
  },
);

it('the queue consumer goes on with other messages while many are being handled slowly', async () => {
  const gate = Promise.withResolvers<void>();
  const handled: string[] = [];
  consume(async (body) => {
    if (body.startsWith('slow')) await gate.promise;
    handled.push(body);
  });
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(`slow ${index}`)));
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(`fast ${index}`)));
  await vi.waitFor(() => expect(handled.filter((body) => body.startsWith('fast'))).toHaveLength(30), 120_000);
  expect(handled.filter((body) => body.startsWith('slow'))).toHaveLength(0);
  gate.resolve();
  await vi.waitFor(() => expect(handled.length).toBeGreaterThanOrEqual(60), 120_000);
});

it('the queue consumer never exceeds its concurrency, and takes the next message as soon as one is handled', async () => {
  let running = 0;
  let max = 0;
  const ends: (() => void)[] = [];
  consume(async () => {
    max = Math.max(max, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
  }, 2);
  await Promise.all(Array.from({ length: 5 }, (_, index) => send(String(index))));
  for (let ended = 0; ended < 5; ended++) {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(ended), 120_000);
    ends[ended]?.();
  }
  await vi.waitFor(() => expect(running).toBe(0), 120_000);
  expect(max).toBe(2);
});

it('the queue consumer never delivers a delayed message early', async () => {
  const arrivals = new Map<string, number>();
  consume(async (body) => arrivals.set(body, systemClock.now()));
  const sentAt = new Map<string, number>();
  for (const delaySeconds of [1, 1, 2, 2]) {
    const body = `${delaySeconds} ${sentAt.size}`;
    sentAt.set(body, systemClock.now());
    await send(body, delaySeconds);
  }
  await vi.waitFor(() => expect(arrivals.size).toBe(4), 120_000);
  for (const [body, at] of sentAt)
    expect((arrivals.get(body) ?? 0) - at).toBeGreaterThanOrEqual(Number(body.split(' ')[0]) * 1000);
});

it('the queue consumer takes no message once it is closed, and closing waits for running calls', async () => {
  const gate = Promise.withResolvers<void>();
  const handled: string[] = [];
  const consumer = consume(async (body) => {
    await gate.promise;
    handled.push(body);
  });
  await send('running');
  await vi.waitFor(
    async () =>
      expect(await countsOf(services.queueUrls.webhooks)).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '1' }),
    120_000,
  );
  const closed = consumer.close();
  gate.resolve();
  await closed;
  expect(handled).toStrictEqual(['running']);
  expect(await countsOf(services.queueUrls.webhooks)).toMatchObject(settledQueue);
});

it('the queue consumer continues when the queue is available again after a failure', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const port = Number(new URL(services.url).port);
  const handled: string[] = [];
  consume(async (body) => handled.push(body));
  await services.close();
  await vi.waitFor(() => expect(stderr).toHaveBeenCalled(), 120_000);
  services = await startQueuesAndStorage({ visibilityTimeoutSeconds: 60, port });
  await send('back');
  await vi.waitFor(() => expect(handled).toStrictEqual(['back']), 120_000);
  stderr.mockRestore();
});
