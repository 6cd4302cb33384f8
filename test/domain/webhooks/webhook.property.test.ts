import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureMessage, taskErrorCodes } from '../../../shared/contracts/errors.ts';
import { attemptsPerSeries } from '../../../shared/contracts/limits.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import {
  attemptTimeoutMs,
  delayBeforeAttempt,
  isLastAttempt,
  leaseMs,
  nextSeries,
  signedContent,
  webhookBody,
  webhookId,
} from '../../../shared/domain/webhooks/webhook.ts';
import { aTask } from '../../support/test-table.ts';

test('every delivery series makes three attempts: at once, then 2 s and then 4 s later', () => {
  fc.assert(
    fc.property(fc.nat(1000), (attemptsSoFar) => {
      const first = nextSeries(attemptsSoFar);
      expect(first).toBeGreaterThan(attemptsSoFar);
      expect(first).toBeLessThanOrEqual(attemptsSoFar + attemptsPerSeries);
      expect([0, 1, 2].map((step) => delayBeforeAttempt(first + step))).toEqual([0, 2, 4]);
      expect([0, 1, 2].map((step) => isLastAttempt(first + step))).toEqual([false, false, true]);
    }),
  );
});

const endedAt = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });

test('the webhook of a completed task contains its result, cost and end time, in the documented order', () => {
  fc.assert(
    fc.property(endedAt, fc.nat(), fc.webUrl(), (at, cost, resultUrl) => {
      const task = aTask({ status: 'completed', cost, endedAt: at.getTime() });
      const { taskId } = task;
      const body = { event: 'task.completed', taskId, status: 'completed', resultUrl, creditsUsed: cost };
      expect(webhookBody(task, resultUrl)).toBe(JSON.stringify({ ...body, timestamp: at.toISOString() }));
    }),
  );
});

test('the webhook of a failed task contains its error code and a message, which is the task’s own if it has one', () => {
  fc.assert(
    fc.property(
      endedAt,
      fc.constantFrom(...taskErrorCodes),
      fc.option(fc.string(), { nil: undefined }),
      (at, code, detail) => {
        const own = detail === undefined ? {} : { errorDetail: detail };
        const task = aTask({ status: 'failed', errorCode: code, ...own, endedAt: at.getTime() });
        const error = { code, message: failureMessage(code, detail) };
        const body = {
          event: 'task.failed',
          taskId: task.taskId,
          status: 'failed',
          error,
          timestamp: at.toISOString(),
        };
        expect(webhookBody(task, undefined)).toBe(JSON.stringify(body));
      },
    ),
  );
});

test('the webhook of a failed task has the task’s stored message, even if the text for its code has changed', () => {
  const [errorCode, errorMessage] = ['PROVIDER_ERROR', 'As an earlier version put it.'] as const;
  const body: unknown = JSON.parse(
    webhookBody(aTask({ status: 'failed', errorCode, errorMessage, endedAt: 0 }), undefined),
  );
  expect(body).toMatchObject({ error: { code: errorCode, message: errorMessage } });
});

test('a task’s webhook says that it completed only if the task has both the status and a result', () => {
  const eventOf = (task: Task, resultUrl?: string) => JSON.parse(webhookBody(task, resultUrl)) as unknown;
  const failed = { event: 'task.failed', error: { code: 'INTERNAL_ERROR' } };
  expect(eventOf(aTask({ status: 'failed' }), 'https://example.com/1.png')).toMatchObject(failed);
  expect(eventOf(aTask({ status: 'completed' }))).toMatchObject(failed);
});

test('a webhook is identified by its task, and its signature covers its time and body', () => {
  expect(webhookId('t-1')).toBe('msg_t-1');
  expect(signedContent('msg_t-1', '1700000000', '{"a":1}')).toBe('msg_t-1.1700000000.{"a":1}');
});

test('a delivery worker is presumed dead only after the longest possible attempt', () => {
  expect(leaseMs).toBeGreaterThan(attemptTimeoutMs);
});
