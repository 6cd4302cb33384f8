/** Downloads, checks and saves the results. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { DemoOutput } from '../demo.ts';
import type { DemoRequest, Order } from '../order.ts';
import { factsText, problemsOfResult, type ResultFacts, resultFacts } from './result-facts.ts';

type Result = NonNullable<Task['results']>[number];

/** A saved result. */
export interface SavedFile {
  readonly request: DemoRequest;
  readonly task: Task;
  readonly fileName: string;
  readonly bytes: Buffer;
  /** The result as its task describes it. */
  readonly described: Result;
  /** The result as determined from its bytes. */
  readonly facts: ResultFacts;
}

interface Saved {
  readonly files: readonly SavedFile[];
  readonly problems: readonly string[];
}

/** The path of a file relative to the working directory. */
export function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

async function download({ url, contentType: expected, bytes: size }: Result, fileName: string, signal: AbortSignal) {
  const response = await fetch(url, { signal });
  const bytes = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type');
  if (!response.ok) throw new Error(`the URL of ${fileName} responded with ${response.status}`);
  const problems = [
    ...unless(contentType === expected, `${fileName} has the type ${contentType}, not ${expected}`),
    ...unless(bytes.length === size, `${fileName} has ${bytes.length} bytes, not ${size}`),
  ];
  return { bytes, problems };
}

async function saveResultsOf(
  { outDir, screen }: DemoOutput,
  { request }: Order,
  task: Task,
  signal: AbortSignal,
): Promise<Saved> {
  const { name, fileNames } = request;
  const results = task.results ?? [];
  if (results.length === 0) {
    for (const fileName of fileNames) screen.line(`${fileName}  none: ${task.error?.message ?? task.status}`);
    return { files: [], problems: [`${name} has no result`] };
  }
  const files: SavedFile[] = [];
  const problems = [...unless(results.length === fileNames.length, `${name} has ${results.length} results`)];
  for (const [index, described] of results.entries()) {
    const fileName = fileNames[index];
    if (fileName === undefined) continue;
    const { bytes, problems: found } = await download(described, fileName, signal);
    const file = { request, task, fileName, bytes, described, facts: await resultFacts(bytes) };
    const path = join(outDir, fileName);
    await writeFile(path, bytes, { signal });
    screen.line(`${shownPath(path)}  ${factsText(file.facts, bytes)}`);
    files.push(file);
    problems.push(...found, ...problemsOfResult(file));
  }
  return { files, problems };
}

/** Saves the results; the tasks are in the order of the requests. */
export async function saveResults(
  output: DemoOutput,
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  const saved: Saved[] = [];
  for (const [index, order] of orders.entries()) {
    const task = tasks[index];
    if (task) saved.push(await saveResultsOf(output, order, task, signal));
  }
  const files = saved.flatMap((one) => one.files);
  const isRepeated = files.some((file, index) => files.slice(0, index).some(({ bytes }) => bytes.equals(file.bytes)));
  const problems = saved.flatMap((one) => one.problems);
  output.checks.report('described', [...problems, ...unless(!isRepeated, 'two results are the same file')]);
  return files;
}
