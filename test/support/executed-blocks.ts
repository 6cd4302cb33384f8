/** Counts how often code runs, which is the same on every machine, to find loops whose work is not limited. */
import { Session } from 'node:inspector/promises';

export interface ExecutedBlocks {
  /** The highest number of executions of any block since the last call, in files whose path contains the given text. */
  max(folder: string): Promise<number>;
  stop(): Promise<void>;
}

export async function executedBlocks(): Promise<ExecutedBlocks> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async max(folder) {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const files = result.filter(({ url }) => url.includes(folder));
      const counts = files.flatMap(({ functions }) =>
        functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)),
      );
      return counts.reduce((max, count) => Math.max(max, count), 0);
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
