/** How a message of a queue becomes a call: one at a time, and a failed one goes back to the queue. */
import middy from '@middy/core';
import type { Context as LambdaContext, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { contextWith, type PortFactories, type PortName, type With } from './context.ts';

export type QueueHandler = (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>;

export type Consumer<Message extends z.ZodType, Names extends PortName = never> = (
  message: z.output<Message>,
  context: With<Names>,
) => Promise<void>;

/** The Lambda handler of a queue's consumer. A message that it throws over is delivered again, at last to the DLQ. */
export function queueLambda<Message extends z.ZodType, Names extends PortName = never>(
  name: string,
  message: Message,
  consume: Consumer<Message, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): QueueHandler {
  const contextOf = contextWith(ports);

  const consumeRecord = async (record: SQSEvent['Records'][number]): Promise<string | undefined> => {
    try {
      await consume(message.parse(JSON.parse(record.body)), contextOf());
      return undefined;
    } catch (error) {
      const { messageId } = record;
      contextOf().logger.error('message failed', { consumer: name, messageId, error: error as Error });
      return messageId;
    }
  };

  const chain = middy().handler(async (event: unknown): Promise<SQSBatchResponse> => {
    const failed = await Promise.all((event as SQSEvent).Records.map(consumeRecord));
    return { batchItemFailures: failed.filter((id) => id !== undefined).map((itemIdentifier) => ({ itemIdentifier })) };
  });
  return chain as QueueHandler;
}
