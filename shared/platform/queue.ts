/** Sends messages to the service's queues. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Queue {
  /**
   * Sends a message. `group` is the fair queue's message group: the backlog of one account or sender does not delay
   * another's. By default, the queue's own delay applies.
   */
  send(message: object, options: { readonly delaySeconds?: number; readonly group: string }): Promise<void>;
}

/** JSON without the characters that SQS refuses (U+FFFE and U+FFFF), or its local substitute (all above U+FFFF). */
export const jsonForQueues = (message: object): string =>
  JSON.stringify(message).replaceAll(
    /[\uD800-\uDFFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );

type Source = { readonly settings: Settings };

function queueAt({ settings }: Source, setting: 'webhookQueueUrl' | 'paymentQueueUrl' | 'inboxQueueUrl'): Queue {
  const client = new SQSClient({ ...mediumTimeoutClient, ...settings.aws('SQS') });
  return {
    async send(message, { delaySeconds, group }) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: settings[setting],
          MessageBody: jsonForQueues(message),
          MessageGroupId: group,
          ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}

export const webhookQueue = (source: Source): Queue => queueAt(source, 'webhookQueueUrl');

export const paymentQueue = (source: Source): Queue => queueAt(source, 'paymentQueueUrl');

export const inboxQueue = (source: Source): Queue => queueAt(source, 'inboxQueueUrl');
