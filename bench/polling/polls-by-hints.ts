/** How often clients that follow the service's hints poll, and how long they wait after the end of a task. */
import { timeLimitSeconds } from '../../shared/contracts/limits.ts';
import type { TextTable } from '../text-table.ts';
import { type PolledResult, type PolledRun, simulatePolling } from './simulate-polling.ts';

/** Two thirds of the tasks take between three quarters and four thirds of the median. */
const usualSpread = 0.3;

const simulate = (medianSeconds: number, given: Partial<PolledRun> = {}): PolledResult =>
  simulatePolling({
    medianSeconds,
    spread: usualSpread,
    tasks: 1000,
    seed: 1,
    timeLimitSeconds: medianSeconds > 60 ? timeLimitSeconds.video : timeLimitSeconds.audio,
    estimate: { times: 1 },
    ...given,
  });

/** The mean number of polls of tasks with a median duration. */
export const pollsByHints = (medianSeconds: number): number => simulate(medianSeconds).polls;

const medians = [2, 10, 30, 60, 600];

const starts = {
  known: { times: 1 },
  none: 'none',
  'three times too long': { times: 3 },
  'three times too short': { times: 1 / 3 },
} as const;

/** A table of simulated runs, each short enough for a wrong estimate at its beginning to show. */
export const pollingTable = (): TextTable => ({
  title: `Polls by the hints: simulated, 200 tasks for each row, durations log-normal with a spread of ${usualSpread}`,
  columns: ['median s', 'first estimate', 'polls', 'median wait s', 'median wait %'],
  rows: medians.flatMap((median) =>
    Object.entries(starts).map(([name, estimate]) => {
      const { polls, wait, waitSeconds } = simulate(median, { estimate, tasks: 200 });
      return [median, name, polls, waitSeconds, 100 * wait];
    }),
  ),
});
