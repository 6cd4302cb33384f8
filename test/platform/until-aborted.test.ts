import { expect, test } from 'vitest';
import { untilAborted } from '../../shared/platform/until-aborted.ts';

const never = new Promise<never>(() => undefined);

test('a result before the abort is returned', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('answer'), signal)).toBe('answer');
  await expect(untilAborted(Promise.reject(new Error('failure')), signal)).rejects.toThrow('failure');
});

test('a result after the abort is abandoned with the abort’s reason', async () => {
  const called = new AbortController();
  const waiting = untilAborted(never, called.signal);
  called.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(untilAborted(never, called.signal)).rejects.toThrow('enough');
});
