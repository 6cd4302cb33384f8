import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { startSchedules } from '../../../infra/local/schedules.ts';

it('the local schedules call each function repeatedly with a scheduled event', async () => {
  const events: { name: string; event: unknown }[] = [];
  const schedules = startSchedules({
    schedules: [
      { functionName: 'sweep', everySeconds: 0.01 },
      { functionName: 'audit', everySeconds: 0.02 },
    ],
    invoke: async (name, event) => events.push({ name, event }),
  });
  await vi.waitFor(() => {
    expect(events.filter(({ name }) => name === 'sweep').length).toBeGreaterThan(2);
    expect(events.filter(({ name }) => name === 'audit').length).toBeGreaterThan(2);
  }, 120_000);
  await schedules.close();
  expect(events[0]?.event).toMatchObject({ source: 'aws.events', 'detail-type': 'Scheduled Event' });
});

it('the local schedules never run a function concurrently with itself, and a slow one delays no other', async () => {
  let running = 0;
  let overlapped = false;
  let others = 0;
  const gate = Promise.withResolvers<void>();
  const schedules = startSchedules({
    schedules: [
      { functionName: 'slow', everySeconds: 0.005 },
      { functionName: 'other', everySeconds: 0.005 },
    ],
    invoke: async (name) => {
      if (name === 'other') others++;
      else {
        overlapped ||= running > 0;
        running++;
        await gate.promise;
        running--;
      }
    },
  });
  await vi.waitFor(() => expect(others).toBeGreaterThan(5), 120_000);
  expect(running).toBe(1);
  gate.resolve();
  await schedules.close();
  expect(overlapped).toBe(false);
});

it('the local schedules continue after a failed call, and log only the name of its error', async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  let calls = 0;
  const schedules = startSchedules({
    schedules: [{ functionName: 'sweep', everySeconds: 0.005 }],
    invoke: async () => {
      calls++;
      throw new TypeError('a secret');
    },
  });
  await vi.waitFor(() => expect(calls).toBeGreaterThan(2), 120_000);
  await schedules.close();
  write.mockRestore();
  expect(said[0]).toBe('Schedule: sweep failed: TypeError.\n');
  expect(said.join('')).not.toContain('secret');
});

it('the local schedules make no call once they are closed, and closing waits for the running call', async () => {
  let started = 0;
  let ended = 0;
  const schedules = startSchedules({
    schedules: [{ functionName: 'sweep', everySeconds: 0.01 }],
    invoke: async () => {
      started++;
      await sleep(50);
      ended++;
    },
  });
  await vi.waitFor(() => expect(started).toBe(1), 120_000);
  await schedules.close();
  expect(ended).toBe(1);
  await sleep(50);
  expect(started).toBe(1);
});
