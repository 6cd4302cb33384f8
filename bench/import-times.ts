/** How long each function's bundle takes to be imported by a fresh process, next to handlers that do nothing. */
import { execFile } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from '../infra/aws/bundles.ts';
import { percentile } from './percentile.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { type TextTable, timesText } from './text-table.ts';

const rounds = 15;

/** What a process measures of itself: from the import's beginning to its end, without its own start. */
const importer = `
  const startedAt = performance.now();
  await import(process.argv[1]);
  process.stdout.write(String(performance.now() - startedAt));`;

/** Milliseconds. */
async function importTime(path: string): Promise<number> {
  const args = ['--input-type=module', '--eval', importer, pathToFileURL(path).href];
  // Nothing from the environment, least of all a compile cache: Lambda's disk is fresh as well.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return Number(stdout);
}

const bareName = 'a bare handler';
const httpsName = "a bare handler, and Node's https";

/** Every client of AWS imports Node's https, which by itself takes longer than most of what is bundled. */
const references: Readonly<Record<string, string>> = {
  [bareName]: 'export const handler=async()=>({statusCode:200});',
  [httpsName]: "import'node:https';export const handler=async()=>({statusCode:200});",
};

function writeReference(directory: string, source: string, position: number): string {
  const folder = join(directory, `reference-${position}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.mjs'), source);
  return join(folder, 'index.mjs');
}

/** Round by round, so that whatever slows the machine down slows all of them down alike. */
async function measure(paths: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>([...paths.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, path] of paths) times.get(name)?.push(await importTime(path));
  }
  return times;
}

export async function importTimes(): Promise<TextTable> {
  const directory = temporaryDirectory('bundles');
  const { functions } = await bundleFunctions(directory);
  const paths = new Map([
    ...Object.entries(references).map(([name, source], at) => [name, writeReference(directory, source, at)] as const),
    ...Object.entries(functions).map(([name, { path }]) => [name, path] as const),
  ]);
  const times = await measure(paths);
  const median = (name: string): number => percentile(times.get(name) ?? [], 0.5);
  const rows = [...paths].map(([name, path]) => [
    name,
    statSync(path).size / 1024,
    median(name),
    percentile(times.get(name) ?? [], 0.9),
    median(name) - median(bareName),
    timesText(median(name), median(bareName)),
    timesText(median(name), median(httpsName)),
  ]);
  return {
    title: `Import of each function's bundle, ${rounds} fresh processes each (1 KB is 1,024 bytes)`,
    columns: ['function', 'KB', 'p50 ms', 'p90 ms', 'p50 - bare', 'p50 : bare', 'p50 : https'],
    rows,
  };
}
