import { existsSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moduleNames, modules, quickFiles } from './modules.ts';
import { selectionOf } from './selection.ts';

test('every file that is to be mutated is there, and has tests', () => {
  for (const file of selectionOf([]).files) expect(existsSync(file), file).toBe(true);
  for (const pattern of selectionOf([]).tests) expect(globSync(pattern), pattern).not.toEqual([]);
});

describe('a run', () => {
  test('is of all modules, if nothing is chosen', () => {
    const { modules: chosen, files } = selectionOf([]);
    expect(chosen).toEqual(moduleNames);
    expect(new Set(files)).toEqual(new Set(Object.values(modules).flat()));
    expect(new Set(files).size).toBe(files.length);
  });

  test('is of the modules that are named, each once', () => {
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

  test('that must be quick is of the smallest files', () => {
    expect(new Set(selectionOf(['--quick']).files)).toEqual(new Set(quickFiles));
    expect(selectionOf(['--quick', '--module', 'idempotency']).files).toEqual([
      'shared/domain/idempotency/idempotency.ts',
    ]);
  });

  test('of a module that is none is refused with the names of those that are', () => {
    expect(() => selectionOf(['--module', 'love'])).toThrow(
      'There is no module love: the modules are money, rate-limit, idempotency, token, outbound-guard.',
    );
    expect(() => selectionOf(['--everything'])).toThrow('--everything');
  });
});
