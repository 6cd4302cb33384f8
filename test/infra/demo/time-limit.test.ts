import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withinSeconds } from '../../../infra/demo/time-limit.ts';

const never = new AbortController().signal;
const patiently = (signal: AbortSignal) => sleep(600_000, undefined, { signal });

it('the demo’s time limit returns the result of the work', async () => {
  expect(await withinSeconds(60, never, async () => 7)).toBe(7);
});

it('the demo’s time limit stops work when its time is up, and names the limit', async () => {
  await expect(withinSeconds(0.01, never, patiently)).rejects.toThrow('it took more than 0.01 seconds');
});

it('the demo’s time limit stops work when the demo is stopped, with the reason', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const working = withinSeconds(60, stop.signal, patiently);
  stop.abort(reason);

  await expect(working).rejects.toBe(reason);
});

it('the demo’s time limit does not start work after the demo is stopped', async () => {
  const reason = new Error('enough');
  let begun = false;
  const working = withinSeconds(60, AbortSignal.abort(reason), async () => {
    begun = true;
  });

  await expect(working).rejects.toBe(reason);
  expect(begun).toBe(false);
});

it('the demo’s time limit passes on the failure of the work', async () => {
  const failure = new Error('no');
  await expect(withinSeconds(60, never, () => Promise.reject(failure))).rejects.toBe(failure);
});
