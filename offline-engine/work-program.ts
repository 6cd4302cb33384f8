/**
 * The program that performs one job as a child process, because a job uses much CPU and memory, reads untrusted input
 * and must end immediately when canceled. It reads a WorkOrder as a line of JSON from stdin, whose end allows a job that
 * has downloaded its file to work, and writes WorkReports to stdout, one JSON document per line: reports of progress,
 * then the outcome.
 */
import { once } from 'node:events';
import { findOperation } from './operations/operations.ts';
import type { WorkOrder, WorkReport } from './run-work.ts';
import { WorkFailure } from './work-failure.ts';

const write = (report: WorkReport) => process.stdout.write(`${JSON.stringify(report)}\n`);

const readOrder = async () => {
  let order = '';
  for await (const part of process.stdin.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    order += part;
    if (order.endsWith('\n')) break;
  }
  return JSON.parse(order) as WorkOrder;
};
const startWorking = async () => {
  write({ isDownloaded: true });
  await once(process.stdin.resume(), 'end');
};

const { operation: name, input, filesDir, fileStem } = await readOrder();
const context = { filesDir, fileStem, progress: (progress: number) => write({ progress }), startWorking };
try {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`There is no operation "${name}".`);
  write({ files: await operation.perform(input, context) });
} catch (error) {
  if (!(error instanceof WorkFailure)) throw error;
  const { code, message, problem } = error;
  write({ failure: { code, message, ...(problem && { problem }) } });
} finally {
  process.stdin.destroy();
}
