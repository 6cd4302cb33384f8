/** An SQS event source mapping with batch size 1: long-polls a queue and calls a function with each message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { inFlight, withinGrace } from './in-flight.ts';
import type { Invoke } from './lambda-host.ts';
import { localAccess } from './local-access.ts';
import { localArn, localRegion } from './local-arn.ts';

export interface QueueConsumerOptions {
  readonly queueUrl: string;
  readonly functionName: string;
  readonly invoke: Invoke;
  /** How many messages are processed concurrently; polling continues meanwhile. */
  readonly concurrency: number;
}

const longPollSeconds = 20;
const batchLimit = 10;
const pauseAfterErrorMs = 1000;

/**
 * Starts consuming. A processed message is deleted; a failed one returns after the queue's visibility timeout. `close`
 * stops polling and waits a few seconds for running calls.
 */
export function startQueueConsumer(options: QueueConsumerOptions): { close(): Promise<void> } {
  const sqs = new SQSClient(localAccess(new URL(options.queueUrl).origin));
  const stop = new AbortController();
  const handling = inFlight();

  const poll = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const free = options.concurrency - handling.count;
      if (free > 0) {
        for (const message of await receive(sqs, options.queueUrl, Math.min(free, batchLimit), stop.signal))
          handling.add(handle(sqs, options, message));
      } else await handling.next();
    }
  };
  const polling = poll();

  return {
    async close() {
      stop.abort();
      await withinGrace(polling.then(() => handling.all()));
      sqs.destroy();
    },
  };
}

async function receive(sqs: SQSClient, queueUrl: string, count: number, signal: AbortSignal): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: count,
    WaitTimeSeconds: longPollSeconds,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  try {
    return (await sqs.send(command, { abortSignal: signal })).Messages ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    report(`Queue ${queueNameOf(queueUrl)} cannot be read`, error);
    await sleep(pauseAfterErrorMs, undefined, { signal }).catch(() => undefined);
    return [];
  }
}

async function handle(sqs: SQSClient, options: QueueConsumerOptions, message: Message): Promise<void> {
  try {
    const result = await options.invoke(options.functionName, { Records: [recordOf(message, options.queueUrl)] });
    if (reportsFailure(result)) return;
    await sqs.send(new DeleteMessageCommand({ QueueUrl: options.queueUrl, ReceiptHandle: message.ReceiptHandle }));
  } catch (error) {
    report(`Queue consumer: ${options.functionName} failed`, error);
  }
}

/**
 * Any reported entry counts, because the batch has only one message; an unknown identifier fails the whole batch on AWS
 * too.
 */
function reportsFailure(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('batchItemFailures' in result)) return false;
  return Array.isArray(result.batchItemFailures) && result.batchItemFailures.length > 0;
}

function recordOf(message: Message, queueUrl: string): SQSRecord {
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
      ...message.Attributes,
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        {
          dataType: value.DataType ?? 'String',
          ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
          ...(value.BinaryValue && { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: localArn('sqs', queueNameOf(queueUrl)),
    awsRegion: localRegion,
  };
}

const queueNameOf = (queueUrl: string): string => queueUrl.slice(queueUrl.lastIndexOf('/') + 1);

function report(what: string, error: unknown): void {
  process.stderr.write(`${what}: ${error instanceof Error ? error.name : typeof error}\n`);
}
