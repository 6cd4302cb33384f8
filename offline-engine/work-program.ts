/**
 * The program that performs one job as a child process, because a job uses much CPU and memory, reads untrusted input
 * and must end immediately when canceled. It reads a WorkOrder as JSON from stdin and writes WorkReports to stdout, one
 * JSON document per line: reports of progress, then the outcome.
 */
import { text } from 'node:stream/consumers';
import { findOperation } from './operations/operations.ts';
import type { WorkOrder, WorkReport } from './run-work.ts';
import { WorkFailure } from './work-failure.ts';

const write = (report: WorkReport) => process.stdout.write(`${JSON.stringify(report)}\n`);

const { operation: name, input, filesDir, fileStem } = JSON.parse(await text(process.stdin)) as WorkOrder;
try {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`There is no operation "${name}".`);
  write({ files: await operation.perform(input, { filesDir, fileStem, progress: (progress) => write({ progress }) }) });
} catch (error) {
  if (!(error instanceof WorkFailure)) throw error;
  const { code, message, problem } = error;
  write({ failure: { code, message, ...(problem && { problem }) } });
}
