/** The time after the load, in which everything must be settled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import type { TemporaryService } from '../process/temporary-service.ts';
import type { SoakSettings } from './soak-settings.ts';

/** What is not over yet. */
export interface Unsettled {
  readonly runningExecutions: number;
  readonly inOpenIndex: number;
  readonly inQueue: number;
}

const everyMs = 200;
/** The service's own sweeper comes once a minute; it does no harm if it comes more often. */
const looksBetweenSweeps = 10;

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** Messages of a queue in any state. */
export async function messagesIn(client: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
  );
  return counts.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

/**
 * Resolves with what is still open when everything is over, or when patience is. `context` leads past the faults. The
 * short form neither waits until a task is due nor for repeated messages of what is over.
 */
export async function settle(
  service: TemporaryService,
  context: FullContext,
  { isLong, settleMs }: Pick<SoakSettings, 'isLong' | 'settleMs'>,
): Promise<Unsettled> {
  const client = new SQSClient(context.settings.aws('SQS'));
  const until = performance.now() + settleMs;
  for (let looks = 0; ; looks += 1) {
    if (looks % looksBetweenSweeps === 0) await service.invoke('sweepTasks', { everything: !isLong });
    const [{ executions }, open, inQueue] = await Promise.all([
      service.measure(),
      context.tasks.dueBy(Number.MAX_SAFE_INTEGER),
      isLong ? messagesIn(client, context.settings.webhookQueueUrl) : 0,
    ]);
    const left = { runningExecutions: executions.running, inOpenIndex: open.length, inQueue };
    const isOver = Object.values(left).every((count) => count === 0);
    if (isOver || performance.now() > until) {
      client.destroy();
      return left;
    }
    await sleep(everyMs);
  }
}
