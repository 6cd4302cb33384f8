import { existsSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { furtherTests, moduleNames, modules, notMutated, quickFiles, testsOf } from './modules.ts';
import { selectionOf } from './selection.ts';

test('every mutated file exists and has tests', () => {
  for (const file of selectionOf([]).files) {
    expect(existsSync(file), file).toBe(true);
    expect(globSync(testsOf(file)), file).not.toEqual([]);
  }
  for (const file of Object.keys(furtherTests)) expect(globSync(testsOf(file).slice(-1)), file).not.toEqual([]);
});

test('every file of the domain is mutated, or has a reason why not', () => {
  const { files } = selectionOf([]);
  const domain = globSync('shared/domain/**/*.ts').filter((file) => !files.includes(file));
  const reasons = Object.keys(notMutated);
  expect(domain.filter((file) => !reasons.some((reason) => file.startsWith(reason)))).toEqual([]);
  expect(reasons.filter((reason) => !domain.some((file) => file.startsWith(reason)))).toEqual([]);
});

describe('the selection of a mutation run', () => {
  test('covers all modules by default', () => {
    const { modules: chosen, files } = selectionOf([]);
    expect(chosen).toEqual(moduleNames);
    expect(new Set(files)).toEqual(new Set(Object.values(modules).flat()));
    expect(new Set(files).size).toBe(files.length);
  });

  test('covers the named modules, each once', () => {
    const { modules: chosen, files } = selectionOf([
      '--module',
      'token',
      '--module',
      'rate-limit',
      '--module',
      'token',
    ]);
    expect(chosen).toEqual(['token', 'rate-limit']);
    expect(new Set(files)).toEqual(new Set([...modules.token, ...modules['rate-limit']]));
  });

  test('of the quick variant covers only the quick files', () => {
    expect(new Set(selectionOf(['--quick']).files)).toEqual(new Set(quickFiles));
    expect(selectionOf(['--quick', '--module', 'idempotency']).files).toEqual([
      'shared/domain/idempotency/idempotency.ts',
    ]);
  });

  test('rejects an unknown module and names the known ones', () => {
    expect(() => selectionOf(['--module', 'love'])).toThrow(
      'There is no module love; the modules are money, state, engine-jobs, webhooks, rate-limit, idempotency, token, sessions, inbox, outbound-guard.',
    );
    expect(() => selectionOf(['--everything'])).toThrow('--everything');
  });
});
