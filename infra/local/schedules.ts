/** EventBridge's schedules: calls functions at fixed intervals. */
import { systemClock, timestamp } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { inFlight, withinGrace } from './in-flight.ts';
import type { Invoke } from './lambda-host.ts';
import { localAccountId, localArn, localRegion } from './local-arn.ts';

export interface Schedule {
  readonly functionName: string;
  readonly everySeconds: number;
}

const ids = randomIds(systemClock);

/**
 * Starts the schedules. The first call comes after `everySeconds`. If a call is still running when the next is due,
 * that one is skipped. `close` waits a few seconds for running calls.
 */
export function startSchedules(options: { schedules: readonly Schedule[]; invoke: Invoke }): {
  close(): Promise<void>;
} {
  const calls = inFlight();
  const timers = options.schedules.map((schedule) => {
    let running = false;
    const call = async (): Promise<void> => {
      running = true;
      try {
        await options.invoke(schedule.functionName, scheduledEvent(schedule));
      } catch (error) {
        process.stderr.write(`Schedule: ${schedule.functionName} failed: ${nameOf(error)}.\n`);
      } finally {
        running = false;
      }
    };
    return setInterval(() => {
      if (!running) calls.add(call());
    }, schedule.everySeconds * 1000);
  });

  return {
    close: () => {
      for (const timer of timers) clearInterval(timer);
      return withinGrace(calls.all());
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const scheduledEvent = ({ functionName }: Schedule): object => ({
  version: '0',
  id: ids.next(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: localAccountId,
  time: timestamp(systemClock.now()),
  region: localRegion,
  resources: [localArn('events', `rule/${functionName}`)],
  detail: {},
});
