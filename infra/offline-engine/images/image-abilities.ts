/** The abilities to make pictures, by operation; the work itself is done by a child process. */
import { fileURLToPath } from 'node:url';
import { type Ability, ability, type MadeFile, type WorkContext, WorkFailure } from '../ability.ts';
import { runChild } from '../run-child.ts';
import { removeFilesOf } from '../stored-files.ts';
import type { ImageOrder, ImageReport } from './image-order.ts';
import { type ImageOperation, imageRequests } from './image-requests.ts';

const program = fileURLToPath(new URL('./image-program.ts', import.meta.url));

/** An upscale of the largest picture that the neural network takes fills minutes on a slow machine. */
const timeLimitSeconds = 570;

/** Reports as their lines come in; a line may come in parts. */
const reportReader = (read: (report: ImageReport) => void) => {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) read(JSON.parse(line) as ImageReport);
  };
};

const runProgram = async (order: ImageOrder, { signal, progress }: WorkContext): Promise<readonly MadeFile[]> => {
  let last: ImageReport | undefined;
  const read = reportReader((report) => {
    last = report;
    if ('progress' in report) progress(report.progress);
  });
  const input = JSON.stringify(order);
  await runChild({
    program: process.execPath,
    arguments: [program],
    input,
    timeLimitSeconds,
    signal,
    onOutput: read,
  });
  if (last && 'failure' in last) throw new WorkFailure(last.failure.code, last.failure.message);
  if (!last || !('files' in last)) throw new Error(`The program said nothing of what came of ${order.operation}.`);
  return last.files;
};

const imageAbility = (operation: ImageOperation): Ability =>
  ability(imageRequests[operation], async (request, context) => {
    const { filesDir, fileStem } = context;
    try {
      return await runProgram({ operation, request, filesDir, fileStem }, context);
    } catch (error) {
      await removeFilesOf(filesDir, fileStem);
      throw error;
    }
  });

export const imageAbilities: readonly (readonly [ImageOperation, Ability])[] = (
  Object.keys(imageRequests) as ImageOperation[]
).map((operation) => [operation, imageAbility(operation)]);
