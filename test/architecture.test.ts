/** Rules that the compiler does not check: permitted imports, and where time and randomness may be read. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesIn, type Edge } from './support/import-circles.ts';

const files = globSync(
  ['{bench,client,client-mcp,dashboard,fakes,functions,infra,offline-engine,shared,site,test}/**/*.{ts,tsx}'],
  {
    // The tests of the packed client build and delete `client/dist`.
    exclude: ['**/node_modules/**', 'client/dist/**'],
  },
).map(normalize);
const source = (file: string) => readFileSync(file, 'utf8');

/** The code without its comments, which may mention forbidden names. */
const code = (file: string) => source(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

interface Import {
  readonly from: string;
  /** A path relative to the project's folder, or a package's name. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const importsOf = (from: string): Import[] =>
  [...code(from).matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm)].map(
    ([, type, specifier = '']) => ({
      from,
      to: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier,
      typeOnly: type !== undefined,
    }),
  );

const imports = files.flatMap(importsOf);
const describeImport = ({ from, to }: Import) => `${from} imports ${to}`;

/** All imports in files below a folder that a rule does not allow. */
const offences = (below: string, allowed: (one: Import) => boolean) =>
  imports.filter((one) => one.from.startsWith(below) && !allowed(one)).map(describeImport);

const isPackage = ({ to }: Import) => files.every((file) => file !== to) && !to.includes('.json');
const below =
  (...folders: string[]) =>
  ({ to }: Import) =>
    folders.some((folder) => to.startsWith(folder));

test('the architecture rules find hundreds of imports to check, including two known ones', () => {
  expect(imports.length).toBeGreaterThan(300);
  expect(imports.map(describeImport)).toContain('functions/tasks/get-task.ts imports shared/runtime/shared-lambda.ts');
  expect(imports.map(describeImport)).toContain('shared/platform/queue.ts imports @aws-sdk/client-sqs');
});

describe('permitted imports', () => {
  test('contracts import only zod, the default prices, the voices and each other, so that browsers can use them', () => {
    const data = ['shared/catalog/prices.ts', 'shared/catalog/published-prices.ts', 'shared/catalog/voices.ts'];
    const known = (one: Import) => one.to === 'zod' || data.includes(one.to) || below('shared/contracts/')(one);
    expect(offences('shared/contracts/', known)).toEqual([]);
  });

  test('the domain imports only contracts, the catalog, ports, itself and zod for its rows, and no vendor SDK', () => {
    const own = below('shared/contracts/', 'shared/catalog/', 'shared/domain/');
    const known = (one: Import) => own(one) || below('shared/media-files/', 'shared/platform/', 'node:')(one);
    const isPort = below(
      'shared/engines/',
      'shared/gateways/',
      'shared/provenance/',
      'shared/text-writers/',
      'shared/video-resolvers/',
    );
    const port = (one: Import) => one.typeOnly && (isPort(one) || one.to.includes('logger'));
    expect(offences('shared/domain/', (one) => one.to === 'zod' || known(one) || port(one))).toEqual([]);
  });

  test('the client imports only its own files, so that it runs in every runtime with web-standard APIs', () => {
    expect(files.filter((file) => file.startsWith('client/')).length).toBeGreaterThan(10);
    const isCommandLine = ({ from }: Import) => from.startsWith('client/cli/');
    const known = (one: Import) => below('client/')(one) || (isCommandLine(one) && below('node:')(one));
    expect(offences('client/', known)).toEqual([]);
  });

  test('the MCP server imports only itself, the client, Node and the MCP SDK', () => {
    const known = below('client-mcp/', 'client/', 'node:', '@modelcontextprotocol/server');
    expect(files.filter((file) => file.startsWith('client-mcp/')).length).toBeGreaterThan(5);
    expect(offences('client-mcp/', known)).toEqual([]);
  });

  test('the dashboard imports only itself, contracts, and packages for browsers', () => {
    const own = below('dashboard/', 'shared/contracts/');
    const forBrowsers =
      /^(react|react-dom(\/client)?|@mantine\/(core|hooks)|@tanstack\/react-(query|router)|postcss|vite|zod)$/;
    const styles = ({ to }: Import) => to.endsWith('.css');
    expect(files.filter((file) => file.startsWith('dashboard/')).length).toBeGreaterThan(40);
    expect(offences('dashboard/', (one) => own(one) || styles(one) || forBrowsers.test(one.to))).toEqual([]);
  });

  test('the documentation site imports only itself, contracts, the catalog and what builds it', () => {
    const own = below('site/', 'shared/contracts/', 'shared/catalog/', 'highlight.js/');
    const builders =
      /^(node:|@11ty\/eleventy$|@contentauth\/c2pa-wasm$|esbuild$|generation-service-client(\/webhooks)?$|markdown-it$|minisearch$)/;
    expect(files.filter((file) => file.startsWith('site/')).length).toBeGreaterThan(15);
    expect(offences('site/', (one) => own(one) || builders.test(one.to))).toEqual([]);
  });

  test('the platform does not import the rest of the service', () => {
    expect(offences('shared/platform/', (one) => isPackage(one) || below('shared/platform/')(one))).toEqual([]);
  });

  test('readers of media files import only each other, so that they run in any environment', () => {
    const platform = ['clock', 'growing-block', 'random', 'work-limit'].map((name) => `shared/platform/${name}.ts`);
    const known = below('shared/media-files/', ...platform, 'image-size/');
    expect(offences('shared/media-files/', known)).toEqual([]);
  });

  test('engines import only their port, contracts, readers of media files and the platform', () => {
    const known = below('shared/engines/', 'shared/contracts/', 'shared/media-files/', 'shared/platform/', 'node:');
    expect(offences('shared/engines/', (one) => known(one) || one.to === 'zod')).toEqual([]);
  });

  test('text writers import only their port, contracts, the platform and the protocols of engines', () => {
    const known = below('shared/text-writers/', 'shared/engines/', 'shared/contracts/', 'shared/platform/', 'node:');
    expect(offences('shared/text-writers/', (one) => known(one) || one.to === 'zod')).toEqual([]);
  });

  test('video resolvers import only their port, contracts and the platform', () => {
    const known = below('shared/video-resolvers/', 'shared/contracts/', 'shared/platform/');
    expect(offences('shared/video-resolvers/', (one) => known(one) || one.to === 'zod')).toEqual([]);
  });

  test('the provenance code imports only its own files, contracts, the platform and the C2PA library', () => {
    const known = below('shared/provenance/', 'shared/contracts/', 'shared/platform/', 'node:', '@contentauth/');
    expect(offences('shared/provenance/', known)).toEqual([]);
  });

  test('gateways import only their port, contracts and the platform', () => {
    const known = below('shared/gateways/', 'shared/contracts/', 'shared/platform/', 'node:');
    expect(offences('shared/gateways/', (one) => known(one) || one.to === 'zod')).toEqual([]);
  });

  test('functions import shared code but never each other, except for the batch of all generations', () => {
    const contents = ['functions/index.ts', 'functions/generations.ts'];
    const batch = ({ from, to }: Import) => from === 'functions/generate/generate-batch.ts' && contents.includes(to);
    const known = (one: Import) => contents.includes(one.from) || batch(one) || below('shared/', 'node:')(one);
    expect(offences('functions/', known)).toEqual([]);
  });

  test('functions do not import the registry as a value, which would add every contract to every bundle', () => {
    const values = imports.filter(({ to, typeOnly }) => to === 'shared/contracts/registry.ts' && !typeOnly);
    const readers = values
      .map(({ from }) => from)
      .filter((from) => /^(functions|shared\/(runtime|domain|platform))/.test(from));
    expect(readers).toEqual([]);
  });

  test('only the platform and the local replacement for AWS import the AWS SDK', () => {
    const users = imports.filter(({ to }) => to.startsWith('@aws-sdk/')).map(({ from }) => from);
    expect(users.filter((from) => !/^(shared\/platform|fakes|infra|test|bench)\//.test(from))).toEqual([]);
  });

  test('only the lambda files of the runtime import middy', () => {
    const users = imports.filter(({ to }) => to.startsWith('@middy/')).map(({ from }) => from);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((from) => !/^shared\/runtime\/[a-z]+-lambda\.ts$/.test(from))).toEqual([]);
  });

  test('only the offline engine depends on packages that generate media', () => {
    const dependenciesOf = (manifest: string) =>
      Object.keys((JSON.parse(source(manifest)) as { dependencies: Readonly<Record<string, string>> }).dependencies);
    const shared = new Set([...dependenciesOf('package.json'), 'pure-rand', 'sharp']);
    const own = dependenciesOf('offline-engine/package.json').filter((name) => !shared.has(name));
    expect(own).toContain('@tensorflow/tfjs-core');
    const importsIt = (file: string, name: string) =>
      new RegExp(`(from |import\\(|resolve\\()'${name}(/[^']*)?'`).test(code(file));
    const users = files.filter((file) => own.some((name) => importsIt(file, name)));
    expect(users).toContain('offline-engine/image/tensorflow.ts');
    expect(users.filter((file) => !/^(test\/)?offline-engine\//.test(file))).toEqual([]);
  });

  test('sharp decodes images in the offline engine, the fakes and tests, never in the product', () => {
    const users = files.filter((file) => /(from |import\()'sharp'/.test(code(file)));
    const allowed = /^(fakes|offline-engine|infra\/demo|test)\//;
    expect(users.filter((file) => !allowed.test(file))).toEqual([]);
  });

  test('the offline engine and the fakes import no part of the service that runs on AWS', () => {
    const shared = below('shared/contracts/', 'shared/catalog/', 'shared/media-files/', 'shared/platform/');
    const named = below('shared/engines/', 'shared/domain/clips/choose-passages.ts');
    const own = (one: Import) => isPackage(one) || shared(one) || named(one) || below('offline-engine/')(one);
    const drawings = below('@iconify-json/', 'emojibase-data/');
    expect(offences('offline-engine/', (one) => own(one) || drawings(one))).toEqual([]);
    expect(offences('fakes/', (one) => own(one) || below('fakes/')(one))).toEqual([]);
  });

  test('only tests import tests', () => {
    expect(
      imports.filter(({ from, to }) => to.startsWith('test/') && !from.startsWith('test/')).map(describeImport),
    ).toEqual([]);
  });
});

/** Which other top-level folders each top-level folder may import; tests may import everything. */
const floors: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  client: [],
  'client-mcp': ['client'],
  functions: ['shared'],
  dashboard: ['shared'],
  'offline-engine': ['shared'],
  fakes: ['offline-engine', 'shared'],
  infra: ['client', 'fakes', 'functions', 'offline-engine', 'shared'],
  bench: ['client', 'fakes', 'functions', 'infra', 'offline-engine', 'shared'],
};

describe('the graph of imports', () => {
  const known = new Set(files);
  const values = imports.filter(({ to, typeOnly }) => known.has(to) && !typeOnly);
  const room = (file: string) => file.split('/').slice(0, 3).join('/');

  test('is searched for cycles of any length', () => {
    const circle: Edge[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ];
    expect(circlesIn([...circle, ['c', 'd'], ['e', 'a'], ['f', 'f'], ['g', 'h'], ['h', 'g']])).toEqual([
      ['a', 'b', 'c'],
      ['g', 'h'],
    ]);
  });

  test.for(Object.entries(floors))(
    'leads from the folder %s only to these top-level folders: %j',
    ([floor, allowed]) => {
      const others = Object.keys(floors).filter((one) => one !== floor && !allowed.includes(one));
      expect(offences(`${floor}/`, ({ to }) => !others.some((other) => to.startsWith(`${other}/`)))).toEqual([]);
    },
  );

  test('has no cycle between files, except through type-only imports', () => {
    expect(circlesIn(values.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  test('has no cycle between folders of the domain, except through type-only imports', () => {
    const inDomain = values.filter((one) => one.from.startsWith('shared/domain/') && below('shared/domain/')(one));
    expect(inDomain.length).toBeGreaterThan(300);
    expect(circlesIn(inDomain.map(({ from, to }) => [room(from), room(to)]))).toEqual([]);
  });
});

test('no folder of the domain has more than 25 files of its own', () => {
  const domain = files.filter((file) => file.startsWith('shared/domain/'));
  const crowded = [...Map.groupBy(domain, dirname)].filter(([, inside]) => inside.length > 25);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

describe('in the folders functions and shared, only the platform', () => {
  const product = files.filter((file) => /^(functions|shared(?!\/platform\/))\//.test(file));

  test.for(['Date.now(', 'new Date(', 'Math.random(', 'randomUUID(', 'randomBytes(', 'performance.now('])(
    'calls %s',
    (call) => {
      expect(product.filter((file) => code(file).includes(call))).toEqual([]);
    },
  );
});

describe('source files', () => {
  test('have no meaningless names such as utils', () => {
    const vague = /(^|[/-])(utils?|helpers?|common|manager|misc|stuff|lib)([-.]|$)/;
    expect(files.filter((file) => vague.test(file))).toEqual([]);
  });

  test('have names in kebab-case', () => {
    const kebab =
      /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.((property\.)?((deep|matrix)\.)?test|e2e|config|d))?\.tsx?$/;
    expect(files.filter((file) => !kebab.test(file))).toEqual([]);
  });

  test('import zod as a namespace, because a named import would include all its locales', () => {
    expect(files.filter((file) => /import (?:type )?\{[^}]*\} from 'zod'/.test(source(file)))).toEqual([]);
  });

  test('build table keys only in keys.ts, index-keys.ts and inbox-keys.ts', () => {
    const schema = ['keys', 'index-keys', 'inbox-keys'].map((name) => `shared/domain/${name}.ts`);
    const product = files.filter((file) => /^(functions|shared|infra)\//.test(file) && !schema.includes(file));
    const prefixes =
      /['"`](ACCOUNT|TOKEN|TASK|LEDGER|IDEMPOTENCY|DELIVERY|OPEN|FILE|PRODUCTS?|AVATAR|ORIGIN|ORDERS?|EVENT|CONNECTIONS|PAGE|INBOX|UNREAD)#/;
    expect(product.filter((file) => prefixes.test(code(file)))).toEqual([]);
  });

  test('contain no test that is skipped, focused or marked as todo', () => {
    const marks = /\b(test|describe|it)\.(skip|only|todo|fails)\b/;
    expect(files.filter((file) => file.startsWith('test/') && marks.test(code(file)))).toEqual([]);
  });
});
