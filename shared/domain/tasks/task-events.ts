/** What happened to a task, oldest first, from the rows that exist anyway: its own and those of its webhook. */
import type * as contracts from '../../contracts/task-events.ts';
import { timestamp } from '../../platform/clock.ts';
import type { DeliveryAttempt } from './delivery-attempt.ts';
import { failureOf, isTerminal, refundOf, type Task } from './task.ts';

type Event = Omit<contracts.TaskEvent, 'at'> & { readonly at: number | undefined };

/** The error codes that engines report; all other failures are found by the service itself. */
const reportedByEngine: readonly Task['errorCode'][] = ['PROVIDER_ERROR', 'CONTENT_REJECTED'];

function enderOf({ endedBy, errorCode, status }: Task): contracts.TaskEvent['actor'] {
  if (endedBy) return endedBy;
  if (errorCode === 'CANCELED') return 'api';
  return status === 'completed' || reportedByEngine.includes(errorCode) ? 'engine' : 'system';
}

/** When processing began. Tasks of earlier releases stored only `startedAt`, which replaces the unknown time. */
const startOf = ({ processingAt, startedAt, submittedAt }: Task): number | undefined =>
  processingAt ?? (submittedAt === undefined ? startedAt : undefined);

/** The latest progress; that of a completed task was replaced by 100. */
const progressOf = ({ progress, progressAt, status }: Task): Event => ({
  at: progressAt,
  type: 'progress',
  actor: 'engine',
  ...(status !== 'completed' && { message: `${progress} %` }),
});

function endOf(task: Task): Event {
  const at = task.endedAt;
  if (task.status === 'completed') return { at, type: 'completed', actor: enderOf(task) };
  const type = task.errorCode === 'CANCELED' ? 'canceled' : 'failed';
  return { at, type, actor: enderOf(task), message: failureOf(task).message };
}

const refund = (task: Task): Event[] =>
  refundOf(task) > 0 ? [{ at: task.endedAt, type: 'refunded', actor: 'system', credits: refundOf(task) }] : [];

const attemptsOf = (attempts: readonly DeliveryAttempt[]): Event[] =>
  attempts.flatMap(({ at, result }) => {
    if (!result) return [];
    const { error, statusCode } = result;
    const shown = { ...(statusCode !== null && { statusCode }), ...(error !== null && { message: error }) };
    return [{ at, type: 'webhook_attempted', actor: 'system', ...shown }];
  });

/** The events of a task; of those at the same time, the cause comes first. */
export function eventsOf(task: Task, attempts: readonly DeliveryAttempt[]): contracts.TaskEvent[] {
  const events: readonly Event[] = [
    { at: task.createdAt, type: 'created', actor: 'api', credits: task.cost },
    { at: task.submittedAt, type: 'submitted', actor: 'engine' },
    { at: startOf(task), type: 'started', actor: 'engine' },
    progressOf(task),
    ...(isTerminal(task) ? [endOf(task), ...refund(task)] : []),
    ...attemptsOf(attempts),
  ];
  return events
    .flatMap(({ at, ...event }) => (at === undefined ? [] : [{ at, ...event }]))
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, ...event }) => ({ at: timestamp(at), ...event }));
}
