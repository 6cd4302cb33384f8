import { expect, test } from 'vitest';
import { endOfPause, onPause, pausedUntil, pauseFor } from '../../dashboard/api/pause.ts';

test('dashboard requests wait for the end of a rate-limit pause, even if it is extended, and listeners are notified', async () => {
  let told = 0;
  const stop = onPause(() => {
    told += 1;
  });
  pauseFor(0.05);
  const waiting = endOfPause(new AbortController().signal);
  pauseFor(0.1);
  await waiting;
  // The test waits a little longer, because timers of Node may fire a millisecond early.
  expect(Date.now()).toBeGreaterThanOrEqual(pausedUntil() - 2);
  stop();
  pauseFor(0.2);
  expect(told).toBe(2);
});

test('a dashboard request that is no longer needed stops waiting for a rate-limit pause to end', async () => {
  pauseFor(3600);
  const page = new AbortController();
  const waiting = endOfPause(page.signal);
  page.abort(new Error('left the page'));
  await expect(waiting).rejects.toThrow('left the page');
});
