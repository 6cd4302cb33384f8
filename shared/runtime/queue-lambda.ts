/** Turns queue messages into calls: if the call fails, the message returns to the queue. */
import middy from '@middy/core';
import type { Context as LambdaContext, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { bindPorts, type Context, type Definition, type PortFactories, type PortName, type With } from './context.ts';

export type QueueHandler = (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>;

export type Consumer<Message extends () => z.ZodType, Names extends PortName = never> = (
  message: z.output<ReturnType<Message>>,
  context: With<Names>,
) => Promise<void>;

/**
 * Defines a queue's consumer. If it throws, the message is delivered again, and finally moved to the dead-letter queue.
 */
export function queueLambda<Message extends () => z.ZodType, Names extends PortName = never>(
  name: string,
  message: Message,
  consume: Consumer<Message, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): Definition<QueueHandler> {
  const define = (context: Context) => {
    const needs = bindPorts(context, ports);

    const consumeRecord = async (record: SQSEvent['Records'][number]): Promise<string | undefined> => {
      try {
        await consume(message().parse(JSON.parse(record.body)) as z.output<ReturnType<Message>>, needs());
        return undefined;
      } catch (error) {
        const { messageId } = record;
        context.logger.error('message failed', { consumer: name, messageId, error: error as Error });
        return messageId;
      }
    };

    const consumeBatch = async (event: unknown): Promise<SQSBatchResponse> => {
      const failed = await Promise.all((event as SQSEvent).Records.map(consumeRecord));
      const failedIds = failed.filter((id) => id !== undefined);
      return { batchItemFailures: failedIds.map((itemIdentifier) => ({ itemIdentifier })) };
    };

    const chain = middy().handler(consumeBatch);
    return chain as QueueHandler;
  };
  return Object.assign(define, { ports });
}
