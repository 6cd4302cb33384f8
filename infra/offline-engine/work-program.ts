/**
 * The program that does the work of one job, run as a child: it fills a processor and the memory, reads what strangers
 * made and must end at once when it is canceled. It reads a WorkOrder as JSON from stdin and writes WorkReports to
 * stdout, each as JSON on a line of its own; the last one is not progress.
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
  write({ failure: { code: error.code, message: error.message } });
}
