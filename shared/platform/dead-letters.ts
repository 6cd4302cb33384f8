/** The service's queues as operators see them: how many messages they have, and their dead letters. */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

const queueSettings = {
  webhooks: 'webhookQueueUrl',
  'payment-events': 'paymentQueueUrl',
  inbox: 'inboxQueueUrl',
} as const satisfies Readonly<Record<string, keyof Settings>>;

type QueueName = keyof typeof queueSettings;
const queueNames = Object.keys(queueSettings) as QueueName[];

/** Approximate numbers of messages. */
export interface QueueDepth {
  readonly queue: QueueName;
  readonly waiting: number;
  readonly delayed: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

export interface DeadLetter {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
}

export interface DeadLetters {
  readonly depths: () => Promise<QueueDepth[]>;
  readonly count: (queue: QueueName) => Promise<number>;
  /** Some dead letters, at most ten, which stay where they are. */
  readonly look: (queue: QueueName) => Promise<DeadLetter[]>;
  /** Moves dead letters back to their queue, at most {@link redrivenAtOnce}, and reports how many as it moves them. */
  readonly redrive: (queue: QueueName, onMoved: (more: number) => void) => Promise<void>;
}

/** How many dead letters one call moves, so that it ends within the time limit of a request. */
export const redrivenAtOnce = 1000;

const deadLettersSettings = {
  webhooks: 'webhookDeadLettersUrl',
  'payment-events': 'paymentDeadLettersUrl',
  inbox: 'inboxDeadLettersUrl',
} as const satisfies Readonly<Record<QueueName, keyof Settings>>;

const counted = {
  waiting: 'ApproximateNumberOfMessages',
  delayed: 'ApproximateNumberOfMessagesDelayed',
  inFlight: 'ApproximateNumberOfMessagesNotVisible',
} as const;

/** The requests that operators' work on queues consists of. */
function queueRequests(client: SQSClient) {
  return {
    async numbersOf(url: string) {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: Object.values(counted) }),
      );
      const read = (name: keyof typeof counted) => Number(Attributes[counted[name]] ?? 0);
      return { waiting: read('waiting'), delayed: read('delayed'), inFlight: read('inFlight') };
    },
    async receive(url: string, visibilitySeconds?: number): Promise<Message[]> {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          // Asks all servers of the queue, not only a sample of them.
          WaitTimeSeconds: 1,
          MessageSystemAttributeNames: ['MessageGroupId', 'SentTimestamp'],
          ...(visibilitySeconds !== undefined && { VisibilityTimeout: visibilitySeconds }),
        }),
      );
      return Messages;
    },
    /** A message is sent before it is deleted, so a failure in between can duplicate a message but not lose it. */
    async move({ Attributes, Body, ReceiptHandle }: Message, from: string, to: string): Promise<void> {
      const group = Attributes?.MessageGroupId;
      await client.send(
        new SendMessageCommand({ QueueUrl: to, MessageBody: Body, ...(group && { MessageGroupId: group }) }),
      );
      await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
    },
  };
}

export function deadLetters({ settings }: { readonly settings: Settings }): DeadLetters {
  const requests = queueRequests(new SQSClient({ ...mediumTimeoutClient, ...settings.aws('SQS') }));
  const urlOf = (queue: QueueName) => settings[queueSettings[queue]];
  const deadLettersUrlOf = (queue: QueueName) => settings[deadLettersSettings[queue]];
  const count = async (queue: QueueName) => {
    const { inFlight, waiting } = await requests.numbersOf(deadLettersUrlOf(queue));
    return waiting + inFlight;
  };
  const depth = async (queue: QueueName): Promise<QueueDepth> => {
    const [numbers, dead] = await Promise.all([requests.numbersOf(urlOf(queue)), count(queue)]);
    return { queue, ...numbers, deadLetters: dead };
  };
  return {
    count,
    depths: () => Promise.all(queueNames.map(depth)),
    async look(queue) {
      const messages = await requests.receive(deadLettersUrlOf(queue), 0);
      return messages.map(({ Attributes, Body = '', MessageId = '' }) => ({
        messageId: MessageId,
        body: Body,
        sentAt: Number(Attributes?.SentTimestamp ?? 0),
      }));
    },
    async redrive(queue, onMoved) {
      const [from, to] = [deadLettersUrlOf(queue), urlOf(queue)];
      let moved = 0;
      while (moved < redrivenAtOnce) {
        const messages = await requests.receive(from);
        if (messages.length === 0) break;
        // Waits for all of them, so that nothing is moved after the act has been recorded as failed.
        const ended = await Promise.allSettled(messages.map((message) => requests.move(message, from, to)));
        const more = ended.filter(({ status }) => status === 'fulfilled').length;
        onMoved(more);
        moved += more;
        for (const one of ended) if (one.status === 'rejected') throw one.reason;
      }
    },
  };
}
