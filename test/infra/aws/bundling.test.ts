/** How bundles differ from the sources: replaced modules, built-in modules, descriptions and the errors of AWS. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInModules } from '../../../infra/aws/bundling/built-in-modules.ts';
import { type Replacement, replacedModules } from '../../../infra/aws/bundling/replaced-modules.ts';
import { namesFromClients, withoutErrorsIn } from '../../../infra/aws/bundling/service-errors.ts';
import { withoutDescriptionsIn } from '../../../infra/aws/bundling/without-descriptions.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bundling-'));
  mkdirSync(join(directory, 'node_modules', 'dep'), { recursive: true });
  writeFileSync(join(directory, 'node_modules', 'dep', 'index.js'), 'export const word = "original";');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** SHA-256 of the package's text. */
const sha256 = '35cf3d10b5e0bca4f3072dee5a27e9e7d2bb1664ae6b3a866a5bc553d9ac1fad';
const module = 'dep/index.js';
const replace = () => 'export const word = "replaced";';

async function bundle(entry: string, replacements: readonly Replacement[]): Promise<string> {
  writeFileSync(join(directory, 'entry.js'), entry);
  const { outputFiles } = await build({
    entryPoints: [join(directory, 'entry.js')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [builtInModules, replacedModules(replacements)],
  });
  return outputFiles[0]?.text ?? '';
}

const entry = "import { word } from 'dep'; console.log(word);";

test('bundling replaces a module whose content still has the expected hash', async () => {
  const text = await bundle(entry, [{ module, sha256, replace }]);
  expect(text).toContain('replaced');
  expect(text).not.toContain('original');
});

test('bundling fails and states the new hash when a replaced module has changed', async () => {
  writeFileSync(join(directory, 'node_modules', 'dep', 'index.js'), 'export const word = "newer";');
  await expect(bundle(entry, [{ module, sha256, replace }])).rejects.toThrow(
    /has changed \(its SHA-256 is [0-9a-f]{64}\)/,
  );
});

test('bundling fails when no function loads a module that should be replaced', async () => {
  await expect(bundle('console.log(1);', [{ module, sha256, replace }])).rejects.toThrow(
    'No function loads dep/index.js any more.',
  );
});

test('bundles load Node’s built-in modules on demand, whether they are imported or required', async () => {
  const text = await bundle(
    "import { createHash } from 'node:crypto'; console.log(createHash, require('fs/promises'));",
    [],
  );
  expect(text).toContain('process.getBuiltinModule("node:crypto")');
  expect(text).toContain('process.getBuiltinModule("node:fs/promises")');
  expect(text).not.toMatch(/^import/m);
});

test('bundles contain contracts without their descriptions, and their line numbers are unchanged', () => {
  const contract = [
    "const name = z.string().describe('The name').max(9).meta({",
    "  id: 'Name',",
    '});',
    "const operation = { operationId: 'get', summary: 'Get', description: `Returns ${name}.`, path: '/get' };",
    "const example = { description: 'Stays', body: z.object({ description: name.describe('All') }) };",
  ].join('\n');
  expect(withoutDescriptionsIn('contract.ts', contract).split('\n')).toEqual([
    'const name = z.string().max(9)',
    '',
    ';',
    "const operation = { operationId: 'get',   path: '/get' };",
    "const example = { description: 'Stays', body: z.object({ description: name }) };",
  ]);
});

test('bundles register an AWS client’s base error class, and of its other error classes only those that the project imports', () => {
  const source = "import {\n  AClient,\n  NameTaken,\n} from '@aws-sdk/client-a';\nimport { Gone } from './gone.ts';";
  const schemas = [
    '_s_registry.registerError(ServiceException$, ServiceException);',
    'n0_registry.registerError(Gone$, Gone);',
    'n0_registry.registerError(NameTaken$, NameTaken);',
  ].join('\n');
  expect(withoutErrorsIn(schemas, namesFromClients([source])).split('\n')).toEqual([
    '_s_registry.registerError(ServiceException$, ServiceException);',
    '',
    'n0_registry.registerError(NameTaken$, NameTaken);',
  ]);
});
