/** The last line of the gate, which counts the tests that its runners executed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const results = (): string => join(folder, 'results');

const counted = (exitStatus: number): string => {
  const { stdout, stderr } = spawnSync(process.execPath, ['.ci/count-tests.mjs', results(), `${exitStatus}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
};

const write = (name: string, counts: { readonly numPassedTests: number; readonly numFailedTests: number }): void => {
  mkdirSync(results(), { recursive: true });
  writeFileSync(join(results(), `${name}.json`), JSON.stringify(counts));
};

/** Runs Vitest on temporary test files with these contents. */
const runVitest = (texts: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, `${name}.test.mjs`), text);
  const output = `--outputFile=${join(results(), 'unit.json')}`;
  const options = ['--root', folder, '--globals', '--reporter=json', output];
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    VITEST: undefined,
    VITEST_POOL_ID: undefined,
    VITEST_WORKER_ID: undefined,
  };
  spawnSync(process.execPath, [join(process.cwd(), 'node_modules/vitest/vitest.mjs'), 'run', ...options], { env });
};

it('the test count adds up the counts of all runners', () => {
  write('unit', { numPassedTests: 3, numFailedTests: 0 });
  write('fuzz', { numPassedTests: 4, numFailedTests: 0 });
  expect(counted(0)).toBe('7 passed, 0 failed\n');
  write('e2e', { numPassedTests: 5, numFailedTests: 2 });
  expect(counted(1)).toBe('12 passed, 2 failed\n');
});

it('the test count includes a failed file even if none of its tests failed', () => {
  runVitest({
    passing: `it('passes', () => {}); it('passes too', () => {});`,
    failing: `it('passes', () => {}); it('fails', () => expect(1).toBe(2)); it('fails too', () => expect(1).toBe(2));`,
    importing: `import './missing.mjs'; it('is never known', () => {});`,
    preparing: `beforeAll(() => { throw new Error('hook'); }); it('is skipped', () => {});`,
    ending: `describe('a group', () => { afterAll(() => { throw new Error('hook'); }); it('passes', () => {}); });`,
    crashing: `it('takes its process along', () => process.kill(process.pid, 'SIGKILL'));`,
  });
  expect(counted(1)).toBe('4 passed, 6 failed\n');
});

it.each([
  [0, 'no failure'],
  [1, 'one failure'],
])('the test count records a gate that exits with status %i before any test runs as %s', (status) => {
  expect(counted(status)).toBe(`0 passed, ${status} failed\n`);
});

it('the test count includes a gate that failed even though every test passed', () => {
  write('unit', { numPassedTests: 3, numFailedTests: 0 });
  expect(counted(2)).toBe('3 passed, 1 failed\n');
});
