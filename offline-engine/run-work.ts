/** Performs one job in a child process: see work-program.ts. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputFile, WorkContext } from './operation.ts';
import { runChild } from './run-child.ts';
import { removeFilesOf, requireServed } from './stored-files.ts';
import { type InputProblem, WorkFailure, type WorkFailureCode } from './work-failure.ts';

export interface WorkOrder {
  readonly operation: string;
  readonly input: unknown;
  readonly filesDir: string;
  readonly fileStem: string;
}

export type WorkReport =
  | { readonly progress: number }
  /** The job has downloaded its file, and works once its input ends. */
  | { readonly isDownloaded: true }
  | { readonly files: readonly OutputFile[] }
  | { readonly failure: { readonly code: WorkFailureCode; readonly message: string; readonly problem?: InputProblem } };

const program = fileURLToPath(new URL('./work-program.ts', import.meta.url));

/**
 * The default time limit of jobs is long, because upscaling the largest image with the neural network takes minutes on
 * a slow machine.
 */
const usualTimeLimitSeconds = 570;

/** Parses reports line by line; a line may arrive in parts. */
const reportReader = (read: (report: WorkReport) => void) => {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) read(JSON.parse(line) as WorkReport);
  };
};

interface RunOptions extends Pick<WorkContext, 'progress' | 'startWorking'> {
  readonly timeLimitSeconds?: number | undefined;
  readonly signal: AbortSignal;
}

/** Performs a job in a child process, and deletes its files if it does not succeed. */
export const runWork = async (
  order: WorkOrder,
  { signal, progress, startWorking, timeLimitSeconds = usualTimeLimitSeconds }: RunOptions,
): Promise<readonly OutputFile[]> => {
  let last: WorkReport | undefined;
  const downloaded = Promise.withResolvers<void>();
  const onOutput = reportReader((report) => {
    last = report;
    if ('progress' in report) progress(report.progress);
    if ('isDownloaded' in report) downloaded.resolve();
  });
  const input = async function* () {
    yield Buffer.from(`${JSON.stringify(order)}\n`);
    await downloaded.promise;
    await startWorking();
  };
  try {
    await runChild({
      program: process.execPath,
      arguments: [program],
      input: input(),
      // Caches compiled code, because each job would otherwise spend its first quarter of a second compiling.
      environment: { NODE_COMPILE_CACHE: join(order.filesDir, 'compiled') },
      startsOthers: true,
      timeLimitSeconds,
      signal,
      onOutput,
    });
    if (last && 'failure' in last) {
      const { code, message, problem } = last.failure;
      throw new WorkFailure(code, message, problem);
    }
    if (!last || !('files' in last)) throw new Error(`The work of ${order.operation} ended without a result.`);
    for (const { fileName, posterName = fileName } of last.files)
      for (const name of [fileName, posterName]) requireServed(name);
    return last.files;
  } catch (error) {
    await removeFilesOf(order.filesDir, order.fileStem);
    throw error;
  }
};
