/** Measures how long a function's bundle takes to be imported and to serve its first call, in fresh processes. */
import { execFile } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from '../infra/aws/bundles.ts';
import { type BenchService, startBenchService } from './bench-service.ts';
import { percentile } from './percentile.ts';
import { documentClientName, referenceBundles, usualStackName } from './reference-bundles.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import type { TextTable } from './text-table.ts';

const rounds = 30;

const bareName = 'a bare handler';

/** Modules that Lambda's runtime client has loaded before a function is imported. */
const loadedByLambda = ['http', 'net', 'util', 'fs', 'path'];

/** A program that measures the import, excluding its own start, and the first call if there is an event. */
const program = `
  for (const name of ${JSON.stringify(loadedByLambda)}) process.getBuiltinModule('node:' + name);
  const [path, event] = process.argv.slice(1);
  const startedAt = performance.now();
  const { handler } = await import(path);
  const importedAt = performance.now();
  const { statusCode } = event ? await handler(JSON.parse(event), {}) : {};
  const end = performance.now();
  process.stdout.write(JSON.stringify({ importMs: importedAt - startedAt, callMs: end - importedAt, statusCode }));
  process.exit();`;

interface Times {
  readonly importMs: number;
  readonly callMs: number;
  readonly statusCode?: number;
}

/** The event of a function's first call; undefined for functions that are only imported. */
type EventFor = ((token: string) => object) | undefined;

interface Subject {
  readonly path: string;
  readonly event: EventFor;
}

const requestEvent = (token: string, body: object | null) => ({
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  multiValueHeaders: { Authorization: [`Bearer ${token}`], 'Content-Type': ['application/json'] },
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: null,
  body: body && JSON.stringify(body),
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', identity: { sourceIp: '127.0.0.1' } },
});

const read = (token: string) => requestEvent(token, null);
const speech = (token: string) => requestEvent(token, { text: 'Uma frase curta.', voice: 'sarah' });
const image = (token: string) => requestEvent(token, { prompt: 'Um farol ao amanhecer' });

/**
 * The measured functions: reads, creations, a cancellation, and functions called by workflows, the queue and events.
 */
const measured: Readonly<Record<string, EventFor>> = {
  getProfile: read,
  listTasks: read,
  listCreditHistory: read,
  generateVoice: speech,
  generateImage: image,
  getTask: undefined,
  cancelTask: undefined,
  askEngine: undefined,
  finalize: undefined,
  settleExecution: undefined,
  deliverWebhook: undefined,
};

async function timesOf({ path, event }: Subject, token: string, environment: Record<string, string>): Promise<Times> {
  const args = ['--input-type=module', '--eval', program, pathToFileURL(path).href];
  if (event) args.push(JSON.stringify(event(token)));
  // An empty environment, above all without a compile cache, because Lambda's disk is fresh as well.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
  const times = JSON.parse(stdout) as Times;
  if (event && !(times.statusCode === 200 || times.statusCode === 202))
    throw new Error(`The first call of ${path} ended with ${times.statusCode}.`);
  return times;
}

function bareHandler(directory: string): string {
  mkdirSync(join(directory, 'bare'));
  const path = join(directory, 'bare', 'index.mjs');
  writeFileSync(path, 'export const handler=async()=>({statusCode:200});');
  return path;
}

/** Measures all subjects in turn, several times, so that fluctuations of the machine affect all of them equally. */
async function measure(subjects: ReadonlyMap<string, Subject>, bench: BenchService, more: Record<string, string>) {
  const times = new Map<string, Times[]>([...subjects.keys()].map((name) => [name, []]));
  const environment = { ...bench.service.environment, POWERTOOLS_LOG_LEVEL: 'SILENT', ...more };
  for (let round = 0; round < rounds; round += 1) {
    const { token } = await bench.account();
    for (const [name, subject] of subjects) times.get(name)?.push(await timesOf(subject, token, environment));
  }
  return times;
}

function rowsOf(subjects: ReadonlyMap<string, Subject>, times: ReadonlyMap<string, readonly Times[]>) {
  const imports = (name: string) => (times.get(name) ?? []).map(({ importMs }) => importMs);
  const overBare = (name: string, share: number) =>
    percentile(imports(name), share) - percentile(imports(bareName), share);
  return [...subjects].map(([name, { path, event }]) => {
    const calls = (times.get(name) ?? []).map(({ callMs }) => callMs);
    const relativeTo = (reference: string) => (overBare(name, 0.5) / overBare(reference, 0.5)).toFixed(2);
    const call = (share: number) => (event ? percentile(calls, share) : '');
    return [
      name,
      statSync(path).size / 1024,
      percentile(imports(name), 0.5),
      overBare(name, 0.5),
      overBare(name, 0),
      relativeTo(documentClientName),
      relativeTo(usualStackName),
      call(0.5),
      call(0),
    ];
  });
}

const columns = [
  'function',
  'KB',
  'import p50',
  'p50 - bare',
  'min - bare',
  '× document client',
  '× usual stack',
  'first call p50',
  'first call min',
];

/** Measures each bundle as it is, and as Lambda starts it, where the import also warms up the first call. */
export async function importTimes(): Promise<TextTable> {
  const directory = temporaryDirectory('bundles');
  const { functions } = await bundleFunctions(directory);
  const subjects = new Map<string, Subject>([[bareName, { path: bareHandler(directory), event: undefined }]]);
  for (const [name, path] of await referenceBundles(directory)) subjects.set(name, { path, event: undefined });
  for (const [name, event] of Object.entries(measured)) {
    const path = functions[name]?.path;
    if (!path) throw new Error(`There is no function ${name}.`);
    subjects.set(name, { path, event });
  }
  const bench = await startBenchService();
  const plain = await measure(subjects, bench, {});
  const prepared = await measure(subjects, bench, { AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' });
  await bench.close();
  return {
    title: `Import of a bundle and its first call, in ms, ${rounds} fresh processes each (1 KB is 1,024 bytes)`,
    columns,
    rows: [
      ...rowsOf(subjects, plain),
      ...rowsOf(subjects, prepared).map(([name, ...rest]) => [`${name}, warmed up`, ...rest]),
    ],
  };
}
