/** The deployed bundles: each function has a small, self-contained bundle that runs. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listen } from '../../../fakes/listen.ts';
import * as functions from '../../../functions/index.ts';
import recordedSizes from '../../../infra/aws/bundle-sizes/bundle-sizes.json' with { type: 'json' };
import { sizeProblems } from '../../../infra/aws/bundle-sizes/size-problems.ts';
import { bundledSources, projectBundles } from '../../../infra/aws/bundles.ts';
import { grants } from '../../../infra/aws/grants.ts';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { type Database, startDatabase } from '../../../infra/local/database/database.ts';
import { localIdentity } from '../../../infra/local/service-environment.ts';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import * as storePorts from '../../../shared/domain/store-ports.ts';
import type { Definition } from '../../../shared/runtime/context.ts';
import { drivenBundles } from './driven-bundles.ts';

const definitions = Object.values(functions).flatMap((group) =>
  Object.entries<Pick<Definition<unknown>, 'ports'>>(group),
);
const names = definitions.map(([name]) => name);

/** A kilobyte of 1,024 bytes. */
const kilobyte = 1024;

const bundles = await projectBundles();

function bundleOf(name: string) {
  const bundle = bundles.functions[name];
  if (!bundle) throw new Error(`${name} has no bundle`);
  return bundle;
}

/** Runs a program in a process with only the given environment, and returns its output. */
async function run(
  program: string,
  paths: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const args = ['--input-type=module', '--eval', program, ...paths.map((path) => pathToFileURL(path).href)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: environment, timeout: 120_000 });
  return stdout + stderr;
}

test('each function in the index of functions has one bundle', () => {
  expect(Object.keys(bundles.functions).toSorted()).toEqual(names.toSorted());
});

test('bundles contain the project’s code only from the folders that are watched for changes to rebuild the bundles', () => {
  const inputs = Object.keys(bundles.metafile.inputs).map((input) => input.replace(/^[a-z][a-z-]+:/, ''));
  const own = inputs.filter((input) => input.endsWith('.ts') && !input.includes('node_modules/'));
  expect(own.length).toBeGreaterThan(names.length);
  expect(own.filter((input) => !bundledSources.some((folder) => input.startsWith(`${folder}/`)))).toEqual([]);
});

/**
 * Prints a line for each bundle: what the import printed, the type of the handler, and what keeps the process running.
 */
const importAll = `
  const active = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
  for (const url of process.argv.slice(1)) {
    const { handler } = await import(url).catch((error) => ({ handler: error }));
    process.stdout.write((typeof handler === 'function' ? 'function' : String(handler)) + active() + '\\n');
  }`;

let imports: Promise<string> | undefined;

describe.each(names)('the bundle of %s', (name) => {
  test('can be imported without environment variables, writes nothing, leaves nothing running and exports its handler', async () => {
    // The time limit is long, because starting a process takes longer than an import.
    imports ??= run(
      importAll,
      names.map((one) => bundleOf(one).path),
    );
    const lines = (await imports).split('\n');
    expect(lines[names.indexOf(name)]).toBe('function');
    // An import that writes a line of its own, or anything to stderr.
    expect(lines.slice(names.length)).toEqual(['']);
  });

  test('has no static imports, and its source map is a separate file', () => {
    const { imports, path } = bundleOf(name);
    expect(imports).toEqual([]);
    expect(readFileSync(path, 'utf8')).not.toContain('sourceMappingURL');
    expect(existsSync(`${path}.map`)).toBe(true);
  });

  test('contains no undici, no zod locale other than English, and no credential providers for interactive use', () => {
    const inputs = Object.keys(bundleOf(name).inputs);
    const unwanted =
      /node_modules\/undici\/|zod\/v4\/locales\/(?!en\.)|credential-provider-(?!env|node)\/|nested-clients\//;
    expect(inputs.filter((input) => unwanted.test(input))).toEqual([]);
  });
});

test('no bundle is larger or smaller than recorded in bundle-sizes.json', () => {
  const sizes = Object.entries(bundles.functions).map(([name, { bytes }]) => [name, bytes] as const);
  expect(sizeProblems(recordedSizes, Object.fromEntries(sizes))).toEqual([]);
});

/** The function that creates each store, by the name of the store's port. */
const storeMakers = new Map(
  [...readFileSync('shared/domain/store-ports.ts', 'utf8').matchAll(/^export const (\w+) = [^;]*?=>\s*(\w+)\(/gm)].map(
    ([, port = '', maker = '']) => [port, maker] as const,
  ),
);

/** The stores whose functions are in a bundle: source maps keep the names that minification shortens. */
function storesIn(name: string): readonly string[] {
  const map = JSON.parse(readFileSync(`${bundleOf(name).path}.map`, 'utf8')) as { readonly names: readonly string[] };
  return [...storeMakers].flatMap(([port, maker]) => (map.names.includes(maker) ? port : [])).toSorted();
}

test('a function can declare every store that it uses as a port', () => {
  expect([...storeMakers.keys()].toSorted()).toEqual(Object.keys(storePorts).toSorted());
  expect(storesIn('getProfile')).toEqual(['accounts', 'catalog', 'idempotency', 'tokens']);
});

test.each(definitions)(
  'the bundle of %s contains exactly the stores that the function declares',
  (name, { ports = {} }) => {
    expect(storesIn(name)).toEqual(
      Object.keys(ports)
        .filter((port) => storeMakers.has(port))
        .toSorted(),
    );
  },
);

const contracts = Object.values(registry).map(({ operationId, method }) => ({ operationId, method }));
const clientsOf = (name: OperationId) => [
  ...new Set(Object.keys(bundleOf(name).inputs).flatMap((input) => /@aws-sdk\/(client-[^/]+)/.exec(input)?.[1] ?? [])),
];

test.each(contracts.filter(({ method }) => method === 'GET'))(
  'the bundle of $operationId is at most 340 KB and contains no AWS client except that of the table',
  ({ operationId }) => {
    expect(bundleOf(operationId).bytes).toBeLessThanOrEqual(340 * kilobyte);
    expect(clientsOf(operationId)).toEqual(['client-dynamodb']);
  },
);

/** The modules that read containers and keys, look up links, and those of test mode. */
const seldomRun =
  /node_modules\/@aws-sdk\/client-secrets-manager\/|shared\/(contracts\/test-cases|domain\/(clips\/(linked-duration|look-up-video|platform-link)|count-on-day|generation\/choose-test-route|media\/probe-media)|media-files\/(?!image-|jpeg-|exif-)[a-z0-9-]+|platform\/(ranged-file|secrets))\.ts$/;

/** The operations that create tasks. A batch contains the code of all the others, half a kilobyte for each. */
const creations = Object.values(registry)
  .filter((contract) => 'taskType' in contract || contract.operationId === 'generateBatch')
  .map(({ operationId }, _, { length }) => ({
    operationId,
    kilobytes: operationId === 'generateBatch' ? 443 + (length - 1) / 2 : 420,
  }));

test.each(creations)(
  'the bundle of $operationId has at most $kilobytes KB apart from rarely used code, and only the AWS clients that it needs',
  ({ operationId, kilobytes }) => {
    const { bytes, inputs } = bundleOf(operationId);
    // Media are only read when there is a file to inspect, a key only when there is a link, and test mode is rare.
    const seldom = Object.entries(inputs).filter(([input]) => seldomRun.test(input));
    const otherBytes = seldom.reduce((rest, [, inBundle]) => rest - inBundle, bytes);
    const largest = Object.entries(inputs).toSorted(([, one], [, other]) => other - one);
    const advice = `import what few requests need with import(); the largest parts are ${largest.slice(0, 5).join('; ')}`;
    expect(otherBytes, advice).toBeLessThanOrEqual(kilobytes * kilobyte);
    const keys = grants[operationId].secrets ? ['client-secrets-manager'] : [];
    expect(clientsOf(operationId).toSorted()).toEqual(['client-dynamodb', ...keys, 'client-sfn']);
  },
);

test('exactly the operations whose body may contain URLs contain the code that checks URLs against the URL policy', () => {
  const schemaOf = (contract: object) => ('body' in contract ? z.toJSONSchema(contract.body as z.ZodType) : {});
  // The bodies in a batch are those of other operations.
  const withUrls = Object.values(registry).filter(
    (contract) =>
      contract.operationId === 'generateBatch' || JSON.stringify(schemaOf(contract)).includes('"format":"uri"'),
  );
  const checking = Object.values(registry).filter(({ operationId }) =>
    Object.hasOwn(bundleOf(operationId).inputs, 'shared/runtime/address-problems.ts'),
  );
  expect(withUrls.length).toBeGreaterThan(14);
  expect(checking).toEqual(withUrls);
  for (const { operationId } of withUrls) expect(grants[operationId].knows).toContain('urlPolicy');
});

test.each(['getProfile', 'generateVoice', 'askEngine', 'finalize', 'deliverWebhook'])(
  'the bundle of %s warms up without requests or log lines, and initializes without its settings',
  async (name) => {
    let requests = 0;
    const table = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const port = await listen(table, 0);
    const program = 'const { handler } = await import(process.argv[1]); process.stdout.write(typeof handler);';
    // At the log level that functions are deployed with, the request of the warm-up is not logged.
    const started = { AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand', AWS_LAMBDA_LOG_LEVEL: 'INFO' };
    const settings = { ...localIdentity, TABLE_NAME: 'table', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
    expect(await run(program, [bundleOf(name).path], started)).toBe('function');
    expect(await run(program, [bundleOf(name).path], { ...started, ...settings })).toBe('function');
    table.close();
    expect(requests).toBe(0);
  },
);

test('the bundle of getDocs serves the documentation site that is packaged beside it', async () => {
  const program = `
    const { handler } = await import(process.argv[1]);
    const event = { headers: {}, requestContext: { requestId: 'request' } };
    const first = await handler(event, {});
    const page = await handler({ ...event, pathParameters: { path: 'reference/getTask' } }, {});
    const missing = await handler({ ...event, pathParameters: { path: 'missing' } }, {});
    process.stdout.write([first, page, missing].map(({ statusCode }) => statusCode) + page.body);`;
  const settings = { API_URL: 'https://api.example.com', TABLE_NAME: 'table', POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const output = await run(program, [bundleOf('getDocs').path], { ...localIdentity, ...settings });
  expect(output.slice(0, 11)).toBe('200,200,404');
  expect(output).toContain('https://api.example.com/api/v1/tasks/');
});

test('the bundle of getClients serves the packages of the clients that are packaged beside it', async () => {
  const program = `
    const { handler } = await import(process.argv[1]);
    const event = { headers: {}, requestContext: { requestId: 'request' } };
    const list = await handler(event, {});
    const tarball = await handler({ ...event, pathParameters: { path: 'typescript.tgz' } }, {});
    const size = Buffer.from(tarball.body, tarball.isBase64Encoded ? 'base64' : 'utf8').length;
    process.stdout.write(JSON.stringify({ size, packages: JSON.parse(list.body).packages }));`;
  const settings = { API_URL: 'https://api.example.com', TABLE_NAME: 'table', POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const { size, packages } = JSON.parse(
    await run(program, [bundleOf('getClients').path], { ...localIdentity, ...settings }),
  ) as { readonly size: number; readonly packages: readonly { readonly latestUrl: string; readonly bytes: number }[] };
  expect(packages[0]).toMatchObject({ latestUrl: 'https://api.example.com/clients/typescript.tgz', bytes: size });
});

describe('the AWS credentials of a bundled function', () => {
  let database: Database;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await startDatabase({});
    Object.assign(process.env, localIdentity);
    await createTable(database.url, 'bundled');
    const { AWS_REGION } = localIdentity;
    const endpoint = { AWS_ENDPOINT_URL_DYNAMODB: database.url, TABLE_NAME: 'bundled' };
    environment = { AWS_REGION, ...endpoint, POWERTOOLS_LOG_LEVEL: 'SILENT' };
  });
  afterAll(() => database.close());

  const statusWith = (credentials: Record<string, string>) => {
    const program = `
      const { handler } = await import(process.argv[1]);
      const { statusCode } = await handler({ headers: {}, requestContext: { requestId: 'request' } }, {});
      process.stdout.write(String(statusCode));`;
    return run(program, [bundleOf('listPlans').path], { ...environment, ...credentials });
  };

  test('come from the environment, where Lambda provides them', async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = localIdentity;
    expect(await statusWith({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN: 'session' })).toBe('200');
  });

  test('come from nowhere else: without them a request fails, and the container credentials endpoint is not called', async () => {
    let requests = 0;
    const container = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const port = await listen(container, 0);
    const status = await statusWith({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/` });
    container.close();
    expect(status).toBe('500');
    expect(requests).toBe(0);
  });
});

describe('driven by the local host, the bundles handle requests:', () => drivenBundles(() => bundles));
