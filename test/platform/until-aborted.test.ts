import { expect, test } from 'vitest';
import { untilAborted } from '../../shared/platform/until-aborted.ts';

const never = new Promise<never>(() => undefined);

test('an abortable wait has the outcome of its promise if the promise is settled before the abort', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('answer'), signal)).toBe('answer');
  await expect(untilAborted(Promise.reject(new Error('failure')), signal)).rejects.toThrow('failure');
});

test('an abortable wait whose promise is still pending rejects with the reason of the abort', async () => {
  const called = new AbortController();
  const waiting = untilAborted(never, called.signal);
  called.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(untilAborted(never, called.signal)).rejects.toThrow('enough');
});
