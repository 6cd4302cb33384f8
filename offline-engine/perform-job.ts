/** Runs a job: the simulated latency, the requested failure, then the operation itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './job.ts';
import type { JobTurn } from './job-queue.ts';
import type { OutputFile } from './operation.ts';
import { findOperation } from './operations/operations.ts';
import { runWork } from './run-work.ts';
import { WorkFailure } from './work-failure.ts';

interface PerformJobOptions {
  readonly filesDir: string;
  readonly latencyMs: number;
}

const longestStepMs = 250;

const waitEvenly = async (milliseconds: number, signal: AbortSignal, progress: (share: number) => void) => {
  const steps = Math.ceil(milliseconds / longestStepMs);
  for (let step = 1; step <= steps; step += 1) {
    await sleep(milliseconds / steps, undefined, { signal });
    progress(step / steps);
  }
};

const forever = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });

export const performJob = async (
  job: Job,
  { filesDir, latencyMs }: PerformJobOptions,
  { progress, startWorking }: JobTurn,
): Promise<readonly OutputFile[]> => {
  const { failure, stop } = job;
  const { signal } = stop;
  if (failure === 'hang') return forever(signal);
  const percentOfWaiting = latencyMs > 0 ? 80 : 0;
  await waitEvenly(latencyMs, signal, (share) => progress(share * percentOfWaiting));
  if (failure === 'fail')
    throw new WorkFailure('PROVIDER_ERROR', 'The offline engine was configured to fail this job.');
  const { operation, input, reference: fileStem } = job;
  const { timeLimitSeconds } = (await findOperation(operation)) ?? {};
  return runWork(
    { operation, input, filesDir, fileStem },
    {
      signal,
      timeLimitSeconds,
      startWorking,
      progress: (percent) => progress(percentOfWaiting + (percent * (100 - percentOfWaiting)) / 100),
    },
  );
};
