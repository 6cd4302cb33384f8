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
  const args = ['.ci/count-tests.mjs', results(), `${exitStatus}`, 'npm run check'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
};

const write = (name: string, numPassedTests: number): void => {
  mkdirSync(results(), { recursive: true });
  writeFileSync(join(results(), `${name}.json`), JSON.stringify({ numPassedTests, testResults: [] }));
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
  write('unit', 3);
  write('fuzz', 4);
  expect(counted(0)).toBe('7 passed, 0 failed\n');
});

it('the test count names and includes each failed test, and a failed file none of whose tests failed', () => {
  runVitest({
    passing: `it('passes', () => {}); it('passes too', () => {});`,
    failing: `it('passes', () => {}); it('fails', () => expect(1).toBe(2)); it('fails too', () => expect(1).toBe(2));`,
    importing: `import './missing.mjs'; it('is never known', () => {});`,
    preparing: `beforeAll(() => { throw new Error('hook'); }); it('is skipped', () => {});`,
    ending: `describe('a group', () => { afterAll(() => { throw new Error('hook'); }); it('passes', () => {}); });`,
    crashing: `it('takes its process along', () => process.kill(process.pid, 'SIGKILL'));`,
  });
  const lines = counted(1).trimEnd().split('\n');
  expect(lines.pop()).toBe('4 passed, 6 failed');
  expect(lines.sort()).toEqual([
    expect.stringMatching(/^failed: \S*crashing\.test\.mjs/),
    expect.stringMatching(/^failed: \S*ending\.test\.mjs/),
    expect.stringMatching(/^failed: \S*failing\.test\.mjs > fails too: AssertionError: expected 1 to be 2/),
    expect.stringMatching(/^failed: \S*failing\.test\.mjs > fails: AssertionError: expected 1 to be 2/),
    expect.stringMatching(/^failed: \S*importing\.test\.mjs/),
    expect.stringMatching(/^failed: \S*preparing\.test\.mjs/),
  ]);
});

it.each([
  [0, 'no failure'],
  [1, 'one failure'],
])('the test count records a gate that exits with status %i before any test runs as %s', (status) => {
  expect(counted(status)).toMatch(new RegExp(`^0 passed, ${status} failed$`, 'm'));
});

it('the test count includes a gate that failed even though every test passed, and names the command', () => {
  write('unit', 3);
  expect(counted(2)).toBe('failed: exit status 2 of npm run check\n3 passed, 1 failed\n');
});
