/**
 * Fails a run in which a quick test file takes too much CPU time, and names the file: `npm test` is meant to be run
 * after every change. Unlike wall-clock time, CPU time hardly depends on what else the machine does. Where it does, or
 * on a slower machine, it grows for all files alike, and so does the limit.
 */
import type { Reporter, TestModule } from 'vitest/node';

interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

const limitSeconds = 8;
/** The limit of one file, as a share of the time that all quick files together may take. */
const share = limitSeconds / 240;

/** A line for each file that is over the limit. */
export function filesOverLimit(times: readonly FileTime[]): string[] {
  const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
  const limit = Math.max(limitSeconds, share * total);
  return times
    .filter(({ seconds }) => seconds > limit)
    .map(
      ({ file, seconds }) =>
        `${file} took ${seconds.toFixed(1)} s of CPU time, and a quick file may take ${limit.toFixed(1)} s: make it faster, ` +
        'split it, or move what few changes can break to a .deep.test.ts file.',
    );
}

export class QuickFileLimit implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules
      .filter(({ project }) => project.name === 'quick')
      .map((module) => ({ file: module.relativeModuleId, seconds: module.meta().cpuSeconds ?? 0 }));
    const lines = filesOverLimit(times);
    if (lines.length === 0) return;
    console.error(lines.join('\n'));
    process.exitCode = 1;
  }
}
