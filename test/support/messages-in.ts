/** The number of messages in a queue, in any state. */
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

export async function messagesIn(client: SQSClient, QueueUrl: string): Promise<number> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] });
  const { Attributes = {} } = await client.send(command);
  return counts.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}
