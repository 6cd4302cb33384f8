/** The programs in the client's README, with the packed client installed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstalledClient, installClient } from './installed-client.ts';

const execute = promisify(execFile);

const programs = [...readFileSync('client/README.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
);

let installed: InstalledClient;
beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => installed.remove());

test('every program in the README of the client compiles', async () => {
  expect(programs.length).toBeGreaterThan(4);
  const project = join(installed.directory, 'programs');
  mkdirSync(project);
  for (const [index, code] of programs.entries()) writeFileSync(join(project, `${index}.ts`), `${code}export {};\n`);
  symlinkSync(resolve('node_modules/@types'), join(project, 'types'));
  const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const types = { typeRoots: ['types'], types: ['node'] };
  const modules = { module: 'nodenext', moduleResolution: 'nodenext' };
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib,
    ...types,
    ...modules,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = await execute(join('node_modules', '.bin', 'tsc'), ['--project', project]).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(tsc.stdout).toBe('');
});
