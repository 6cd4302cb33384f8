/** Many tasks are awaited at once, against a service with the real rate limit. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { client } from '../../client/client.ts';
import { simulations } from './scenario.ts';
import { simulatedService } from './simulated-service.ts';
import { virtualClock } from './virtual-clock.ts';

describe('waitForTasks never exceeds the rate limit, and returns every task', () => {
  test.for(simulations.map((simulation) => [simulation.title, simulation] as const))(
    'for %s',
    async ([, simulation]) => {
      const clock = virtualClock(() => 0.5);
      const service = simulatedService(clock, simulation, () => 50);
      const api = client({ baseUrl: 'https://api.example.com', token: 'av_test', clock, fetch: service.fetch });
      const tasks = await clock.run(api.waitForTasks(service.ids));
      expect(tasks.map(({ id }) => id)).toEqual(service.ids);
      expect(tasks.map(({ status }) => status)).toEqual(service.outcomes());
      expect(service.counts().rejected).toBe(0);
      expect(service.counts().requests).toBeLessThanOrEqual(simulation.maxRequests);
    },
  );
});

test('however many waits for single tasks run at once, none of their requests exceeds the rate limit', async () => {
  const situations = fc.record({
    tasks: fc.integer({ min: 1, max: 200 }),
    seconds: fc.integer({ min: 0, max: 120 }),
    hint: fc.integer({ min: 1, max: 30 }),
    latencies: fc.infiniteStream(fc.integer({ min: 0, max: 5000 })),
  });
  await fc.assert(
    fc.asyncProperty(situations, async ({ tasks, seconds, hint, latencies }) => {
      const clock = virtualClock(() => 0.5);
      const plan = { tasks, endsAfterSeconds: [0, seconds], failsEvery: 0, retryAfterSeconds: hint } as const;
      const service = simulatedService(clock, plan, () => latencies.next().value ?? 0);
      const api = client({ baseUrl: 'https://api.example.com', token: 'av_test', clock, fetch: service.fetch });
      const found = await clock.run(Promise.all(service.ids.map((id) => api.waitForTask(id))));
      expect(found.map(({ id }) => id)).toEqual(service.ids);
      expect(service.counts().rejected).toBe(0);
    }),
    { numRuns: 20 },
  );
});

test('an aborted call leaves the rate limiter’s queue, and the calls behind it are sent', async () => {
  const clock = virtualClock(() => 0.5);
  const plan = { tasks: 63, endsAfterSeconds: [0, 0], failsEvery: 0, retryAfterSeconds: 1 } as const;
  const service = simulatedService(clock, plan, () => 50);
  const api = client({ baseUrl: 'https://api.example.com', token: 'av_test', clock, fetch: service.fetch });
  const stop = new AbortController();
  const calls = service.ids.map((taskId, index) =>
    api.getTask({ params: { taskId }, ...([60, 61].includes(index) && { signal: stop.signal }) }),
  );
  clock.after(30_000, () => stop.abort());
  const outcomes = await clock.run(Promise.allSettled(calls));
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
    service.ids.map((_, index) => ![60, 61].includes(index)),
  );
  expect(clock.now()).toBeLessThan(61_000);
});
