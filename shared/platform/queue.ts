/** Sends messages to the webhook queue. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { patientClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

export interface Queue {
  /** `group` keeps one account's backlog from delaying another's: the queue is a fair one. */
  send(message: object, options: { readonly delaySeconds: number; readonly group: string }): Promise<void>;
}

export function webhookQueue({ settings }: { readonly settings: Settings }): Queue {
  const client = new SQSClient({ ...patientClient, ...settings.aws('SQS') });
  return {
    async send(message, { delaySeconds, group }) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: settings.webhookQueueUrl,
          MessageBody: JSON.stringify(message),
          DelaySeconds: delaySeconds,
          MessageGroupId: group,
        }),
      );
    },
  };
}
