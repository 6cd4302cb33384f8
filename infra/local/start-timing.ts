/** What `npm start -- --timing` prints: how long the start took, and how much of that is the project's own. */
import { performance } from 'node:perf_hooks';
import { databaseStart } from './database/database-process.ts';

export interface StartTiming {
  /** The time from the start of the process until the service was ready. */
  readonly readyMs: number;
  /** The time from the start of the process until Node ran its first module. */
  readonly nodeMs: number;
  /** The time from the start of the process until all modules were loaded. */
  readonly loadedMs: number;
  /** The time from the start of the database's process until it accepted connections. */
  readonly databaseMs: number;
}

/** Measures the start of this process, which has just become ready. */
export const startTiming = (loadedMs: number): StartTiming => ({
  readyMs: performance.now(),
  nodeMs: performance.nodeTiming.bootstrapComplete,
  loadedMs,
  databaseMs: performance.getEntriesByName(databaseStart).reduce((sum, { duration }) => sum + duration, 0),
});

const line = (name: string, milliseconds: number, remark = '') =>
  `  ${name.padEnd(19)}${`${Math.round(milliseconds)} ms`.padStart(8)}${remark}\n`;

export const timingText = ({ readyMs, nodeMs, loadedMs, databaseMs }: StartTiming): string =>
  [
    'Time from the start of the process until ready:\n',
    line('Node itself', nodeMs),
    line('database process', databaseMs),
    line(
      'this project',
      readyMs - nodeMs - databaseMs,
      `, of which loading modules ${Math.round(loadedMs - nodeMs)} ms`,
    ),
    line('total', readyMs),
  ].join('');
