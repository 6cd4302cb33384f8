/** Saves the generated images, and checks that they match their descriptions and the requests. */
import sharp from 'sharp';
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { DemoOutput } from '../demo.ts';
import type { Order } from '../order.ts';
import { kilobytes, type SavedFile, saveResults } from '../steps/save-results.ts';
import { problemsOfFulfilment } from './fulfilment.ts';
import { type ImageOperation, samplesOf } from './image-requests.ts';
import { pixelsOf } from './pixels.ts';
import { readSample } from './sample-server.ts';

export async function describeImage({ bytes }: SavedFile): Promise<string> {
  const { width, height } = await sharp(bytes).metadata();
  return `${width} × ${height}, ${kilobytes(bytes)}`;
}

export async function problemsOfImage({ fileName, bytes, described }: SavedFile): Promise<readonly string[]> {
  const { format, width, height } = await sharp(bytes).metadata();
  return [
    ...unless(described.contentType === `image/${format}`, `${fileName} is ${format}, not ${described.contentType}`),
    ...unless(
      width === described.width && height === described.height,
      `${fileName} is ${width} × ${height}, not ${described.width} × ${described.height}`,
    ),
  ];
}

/** By what the pixels show. */
export async function problemsOfImages(task: Task, files: readonly SavedFile[]): Promise<readonly string[]> {
  const operation = task.taskType as ImageOperation;
  const inputs = await Promise.all(samplesOf(operation).map(async (name) => pixelsOf(await readSample(name))));
  const own = files.filter((file) => file.task.id === task.id);
  const results = await Promise.all(own.map(({ bytes }) => pixelsOf(bytes)));
  return problemsOfFulfilment(operation, { task, inputs, results });
}

export async function saveImages(
  output: DemoOutput,
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  const { files, problems } = await saveResults(output, orders, tasks, { describe: describeImage, signal });
  const ofFiles = await Promise.all(files.map(problemsOfImage));
  output.checks.report('viewable', [...problems, ...ofFiles.flat()]);
  const unfulfilled: string[] = [];
  for (const task of tasks) unfulfilled.push(...(await problemsOfImages(task, files)));
  output.checks.report('fulfilled', unfulfilled);
  return files;
}
