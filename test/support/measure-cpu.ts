/** Records the CPU time of each test file, including that of the programs it ran, for the limit of quick files. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    cpuSeconds?: number;
  }
}

/**
 * The CPU time of this process. On Linux it includes child processes that have exited: user and system time, in
 * hundredths of a second.
 */
function cpuSeconds(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / 100;
}

let before = 0;
beforeAll(() => {
  before = cpuSeconds();
});
// oxlint-disable-next-line no-empty-pattern
afterAll((/* biome-ignore lint/correctness/noEmptyPattern: Vitest rejects any other first argument. */ {}, suite) => {
  suite.meta.cpuSeconds = cpuSeconds() - before;
});
