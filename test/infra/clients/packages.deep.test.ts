/** The packages of the clients as they are built for each deployment. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { buildClients, runClientsBuild } from '../../../infra/local/clients/build-clients.ts';
import { nodePackages } from '../../../infra/toolchain/node-packages.ts';
import { builtFolder } from '../../../shared/platform/built-folder.ts';
import { clientTarball } from '../../client/installed-client.ts';

const folder = builtFolder('clients');
const zone = process.env.TZ;
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('every package that a README or a guide names is built', async () => {
  await buildClients();
  const texts = ['client{,-mcp,-python}/README.md', 'docs/*.md', 'site/guides/**/*.md'];
  const named = globSync(texts).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\/clients\/([\w.-]+\.(?:tgz|whl)|SHA256SUMS)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !globSync('*', { cwd: folder }).includes(String(name)))).toEqual([]);
});

interface Checker {
  readonly createPackageFromTarballData: (tarball: Uint8Array) => object;
  readonly checkPackage: (tarball: object) => Promise<{
    readonly types: unknown;
    readonly problems?: readonly { readonly kind: string; readonly resolutionKind?: string }[];
  }>;
}

test('the tool “Are the types wrong?” finds nothing wrong with the TypeScript client for programs that import ES modules', async () => {
  const checker = join(await nodePackages('client-generators'), 'node_modules/@arethetypeswrong/core/dist/index.js');
  const { checkPackage, createPackageFromTarballData } = (await import(pathToFileURL(checker).href)) as Checker;
  await buildClients();
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(readFileSync(clientTarball)));
  expect(types).toEqual({ kind: 'included' });
  // The package supports neither `require` nor resolution without `exports`.
  const unsupported = ['node10', 'node16-cjs'];
  expect(problems.map(({ resolutionKind }) => resolutionKind)).toEqual(expect.arrayContaining(unsupported));
  expect(problems.filter(({ resolutionKind = '' }) => !unsupported.includes(resolutionKind))).toEqual([]);
});

test('two builds of the client packages have the same bytes, even in different time zones', async () => {
  await buildClients();
  const again = mkdtempSync(join(tmpdir(), 'packages-'));
  onTestFinished(() => rmSync(again, { recursive: true, force: true }));
  process.env.TZ = zone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo';
  await runClientsBuild(again);
  const [first, second] = [folder, again].map((built) => {
    const files = globSync('*', { cwd: built }).toSorted();
    return files.map((file) => [file, readFileSync(join(built, file)).toString('base64')]);
  });
  expect(first?.map(([file]) => file)).toEqual([
    'SHA256SUMS',
    'generation-service-client-1.0.0.tgz',
    'generation-service-mcp-1.0.0.tgz',
    'generation_service-1.0.0-py3-none-any.whl',
    'index.json',
    'mcp.tgz',
    'typescript.tgz',
  ]);
  expect(second).toEqual(first);
});
