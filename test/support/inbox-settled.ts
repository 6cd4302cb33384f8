import { SQSClient } from '@aws-sdk/client-sqs';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { eventually } from './eventually.ts';
import { messagesIn } from './messages-in.ts';

/** Waits until every accepted event of a social network has been applied. */
export async function inboxSettled({ settings }: Pick<FullContext, 'settings'>): Promise<void> {
  const client = new SQSClient(settings.aws('SQS'));
  await eventually('the end of the queued events', async () =>
    (await messagesIn(client, settings.inboxQueueUrl)) === 0 ? true : undefined,
  );
  client.destroy();
}
