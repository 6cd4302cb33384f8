/** Moves all messages from one queue to another. */
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Each message is sent before it is deleted, so a failure in between can duplicate a message but not lose it. */
export async function moveMessages(from: string, to: string): Promise<number> {
  const client = new SQSClient();
  let moved = 0;
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: from,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return moved;
    for (const { Attributes, Body, ReceiptHandle } of Messages) {
      const group = Attributes?.MessageGroupId;
      await client.send(
        new SendMessageCommand({ QueueUrl: to, MessageBody: Body, ...(group && { MessageGroupId: group }) }),
      );
      await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
      moved += 1;
    }
  }
}
