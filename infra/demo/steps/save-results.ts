/** Downloads what was made, and makes sure that it is sound. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Task } from '../../../shared/contracts/tasks.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { mp3Duration } from '../mp3-duration.ts';
import type { Order } from './send-sentences.ts';

const leastSeconds = 0.5;
/** The task's duration is rounded to 0.1 s, and an encoder pads the sound by up to two frames. */
const toleratedSeconds = 0.2;

interface Saved {
  readonly file?: Buffer;
  readonly problems: readonly string[];
}

/** Where a file is, as somebody in the working directory would call it. */
function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { signal });
  const file = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type');
  if (!response.ok) throw new Error(`the resultUrl was answered ${response.status}`);
  if (contentType !== 'audio/mpeg') throw new Error(`the resultUrl gave ${contentType}`);
  return file;
}

function problemsOf(fileName: string, file: Buffer, seconds: number, task: Task): readonly string[] {
  const { durationSec = 0, bytes } = task.results?.[0] ?? {};
  const isAsTold = Math.abs(seconds - durationSec) <= toleratedSeconds;
  return [
    ...unless(seconds >= leastSeconds, `${fileName} plays no more than ${seconds.toFixed(2)} s`),
    ...unless(isAsTold, `${fileName} plays ${seconds.toFixed(2)} s, not ${durationSec} s`),
    ...unless(file.length === bytes, `${fileName} has ${file.length} bytes, not ${bytes}`),
  ];
}

async function saveResult(
  { outDir, screen }: Demo,
  { sentence: { name, fileName } }: Order,
  task: Task,
  signal: AbortSignal,
): Promise<Saved> {
  if (!task.resultUrl) {
    screen.line(`${fileName}  none: ${task.error?.message ?? task.status}`);
    return { problems: [`${name} has no result`] };
  }
  const file = await download(task.resultUrl, signal);
  const seconds = mp3Duration(file);
  const path = join(outDir, fileName);
  await writeFile(path, file, { signal });
  screen.line(`${shownPath(path)}  ${seconds.toFixed(1)} s, ${(file.length / 1000).toFixed(1)} kB`);
  return { file, problems: problemsOf(fileName, file, seconds, task) };
}

export async function saveResults(
  demo: Demo,
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<void> {
  const saved: Saved[] = [];
  for (const [index, order] of orders.entries()) {
    const task = tasks[index];
    if (task) saved.push(await saveResult(demo, order, task, signal));
  }
  const [first, ...others] = saved.flatMap(({ file }) => file ?? []);
  const isSame = others.some((other) => first?.equals(other));
  demo.checks.report('playable', [
    ...saved.flatMap(({ problems }) => problems),
    ...unless(!isSame, 'the two files are the same'),
  ]);
}
