/** The events of a task: what its rows tell about it, and in which order. */
import { expect, test } from 'vitest';
import type { DeliveryAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { eventsOf } from '../../../shared/domain/tasks/task-events.ts';
import { aTask, testTime } from '../../support/test-table.ts';

const at = (seconds: number) => testTime + 1000 * seconds;
const shown = (seconds: number) => new Date(at(seconds)).toISOString();

const events = (given: Partial<Task>, attempts: readonly DeliveryAttempt[] = []) =>
  eventsOf(aTask({ cost: 3, ...given }), attempts);

const attempt = (number: number, seconds: number, result?: Partial<NonNullable<DeliveryAttempt['result']>>) => ({
  attempt: number,
  at: at(seconds),
  leaseUntil: at(seconds + 30),
  ...(result && { result: { delivered: false, statusCode: null, error: null, durationMs: 5, ...result } }),
});

test('a new task has one event, its creation with the debited cost', () => {
  expect(events({})).toEqual([{ at: shown(0), type: 'created', actor: 'api', credits: 3 }]);
});

test('the events of a completed video task are its submission, start, progress, end and webhook attempts, in order', () => {
  const task = {
    status: 'completed',
    progress: 100,
    submittedAt: at(1),
    startedAt: at(1),
    processingAt: at(5),
    progressAt: at(8),
    endedAt: at(9),
  } as const;
  const attempts = [
    attempt(1, 10, { statusCode: 500, error: 'status 500' }),
    attempt(2, 12, { error: 'timeout' }),
    attempt(3, 16, { delivered: true, statusCode: 204 }),
  ];
  expect(events(task, attempts)).toEqual([
    { at: shown(0), type: 'created', actor: 'api', credits: 3 },
    { at: shown(1), type: 'submitted', actor: 'engine' },
    { at: shown(5), type: 'started', actor: 'engine' },
    { at: shown(8), type: 'progress', actor: 'engine' },
    { at: shown(9), type: 'completed', actor: 'engine' },
    { at: shown(10), type: 'webhook_attempted', actor: 'system', statusCode: 500, message: 'status 500' },
    { at: shown(12), type: 'webhook_attempted', actor: 'system', message: 'timeout' },
    { at: shown(16), type: 'webhook_attempted', actor: 'system', statusCode: 204 },
  ]);
});

test('the events of an open task include its latest progress, but no webhook attempt that is still in progress', () => {
  const task = {
    status: 'processing',
    progress: 40,
    processingAt: at(2),
    startedAt: at(2),
    progressAt: at(4),
  } as const;
  expect(events(task, [attempt(1, 5)]).slice(1)).toEqual([
    { at: shown(2), type: 'started', actor: 'engine' },
    { at: shown(4), type: 'progress', actor: 'engine', message: '40 %' },
  ]);
});

test.each([
  ['the engine', { errorCode: 'PROVIDER_ERROR' }, 'failed', 'engine'],
  ['the engine’s safety filter', { errorCode: 'CONTENT_REJECTED' }, 'failed', 'engine'],
  ['its time limit', { errorCode: 'PROVIDER_TIMEOUT' }, 'failed', 'system'],
  ['an invalid input', { errorCode: 'INPUT_INVALID' }, 'failed', 'system'],
  ['an operator', { errorCode: 'INTERNAL_ERROR', endedBy: 'operator' }, 'failed', 'operator'],
  ['a cancellation', { errorCode: 'CANCELED' }, 'canceled', 'api'],
] as const)(
  'the events of a task that was ended by %s state the actor and the message, and then the refund',
  (_, given, type, actor) => {
    const message = 'Why it ended.';
    expect(events({ status: 'failed', errorMessage: message, endedAt: at(3), ...given }).slice(1)).toEqual([
      { at: shown(3), type, actor, message },
      { at: shown(3), type: 'refunded', actor: 'system', credits: 3 },
    ]);
  },
);

test('the events of a task from an earlier release include its start, although no submission was stored', () => {
  const task = { status: 'failed', errorCode: 'CANCELED', startedAt: at(1), endedAt: at(2) } as const;
  expect(events(task).map(({ type }) => type)).toEqual(['created', 'started', 'canceled', 'refunded']);
});

test('the events of a video task that ended before its engine started include no start', () => {
  const task = {
    status: 'failed',
    errorCode: 'CANCELED',
    startedAt: at(1),
    submittedAt: at(1),
    endedAt: at(2),
  } as const;
  expect(events(task).map(({ type }) => type)).toEqual(['created', 'submitted', 'canceled', 'refunded']);
});
