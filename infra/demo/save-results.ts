/** Downloads, checks and saves the results, and writes the page that shows them next to their inputs. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Task } from '../../client/client.ts';
import type { Demo } from './demo.ts';
import type { DemoRequest } from './demo-requests.ts';
import { factsText, problemsOfResult, resultFacts } from './result-facts.ts';
import { type PageCard, type PageFile, resultsPage } from './results-page.ts';
import { unless } from './unless.ts';

export const pageName = 'index.html';

/** The path of a file relative to the working directory. */
function shownPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

async function bytesAt(url: string, signal: AbortSignal) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the URL of a result responded with ${response.status}`);
  return { bytes: Buffer.from(await response.arrayBuffer()), contentType: response.headers.get('content-type') };
}

async function saveResultsOf({ outDir, write, signal }: Demo, request: DemoRequest, task: Task, problems: string[]) {
  const { name, fileNames } = request;
  const { results = [] } = task;
  problems.push(...unless(results.length === fileNames.length, `${name} has ${results.length} results`));
  const files: PageFile[] = [];
  for (const [index, described] of results.entries()) {
    const fileName = fileNames[index] ?? `${name}-${index + 1}`;
    const { bytes, contentType } = await bytesAt(described.url, signal);
    const facts = await resultFacts(bytes);
    const poster = described.posterUrl && (await bytesAt(described.posterUrl, signal)).bytes;
    const path = join(outDir, fileName);
    await writeFile(path, bytes, { signal });
    write(`   ${shownPath(path)}  ${factsText(facts, bytes)}\n`);
    problems.push(
      ...unless(contentType === described.contentType, `${fileName} is served as ${contentType}`),
      ...unless(bytes.length === described.bytes, `${fileName} has ${bytes.length} bytes, not ${described.bytes}`),
      ...problemsOfResult({ request, task, fileName, described, facts }),
    );
    files.push({ caption: fileName, contentType: described.contentType, bytes, ...(poster && { poster }) });
  }
  return files;
}

/** Returns what is wrong with the results; the tasks are in the order of the requests. */
export async function saveResults(demo: Demo, tasks: readonly Task[]): Promise<readonly string[]> {
  const problems: string[] = [];
  const cards: PageCard[] = [];
  for (const [index, request] of demo.requests.entries()) {
    const task = tasks[index];
    const results = task ? await saveResultsOf(demo, request, task, problems) : [];
    const summary = request.summary.slice(request.name.length).trim();
    if (results.length > 0) cards.push({ title: request.name, summary, inputs: await request.inputs(), results });
  }
  const saved = cards.flatMap(({ results }) => results.map(({ bytes }) => bytes.toString('base64')));
  if (cards.length > 0) await writeFile(join(demo.outDir, pageName), resultsPage(demo.title, cards));
  demo.write(cards.length > 0 ? `   ${shownPath(join(demo.outDir, pageName))}\n` : '   There are no results.\n');
  return [...problems, ...unless(new Set(saved).size === saved.length, 'two results are the same file')];
}
