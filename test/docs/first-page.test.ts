/**
 * README is short, shows how to start within one screen, and states the same requirements as package.json and the
 * programs.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withPriceTable } from '../../infra/openapi/price-table.ts';
import { pageAt } from './pages.ts';

const readme = pageAt('README.md');

test('README has at most 200 lines, and its install and start commands are within the first 40', () => {
  const lines = readme.split('\n');
  expect(lines.length).toBeLessThanOrEqual(200);
  const start = lines.slice(0, 40).join('\n');
  expect(start).toContain('\nnpm ci && npm start\n');
  expect(start).toContain('\nnpm run demo\n');
});

test('README lists the summary and default price of every generation operation (otherwise run `npm run openapi`)', () => {
  expect(readme).toContain('\n| `voice` | Convert text to speech | 1 credit per 50 characters, rounded up |\n');
  expect(readme).toBe(withPriceTable(readme));
});

test('README, CONTRIBUTING, package.json and the programs all require the same versions of Node and npm', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: Record<string, string> };
  const node = /^>=(\d+)$/.exec(engines.node ?? '')?.[1];
  const npm = /^>=(\d+)$/.exec(engines.npm ?? '')?.[1];
  for (const page of [readme, pageAt('CONTRIBUTING.md')])
    expect(page).toContain(`Node ${node} or newer and npm ${npm}`);
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', olderNode], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`Node ${node} or newer`);
  const own = process.versions.node.split('.', 1)[0];
  expect(stderr).toContain(`its own Node ${own}, and this is Node 20.1`);
  expect(readme).toContain(`The project installs its own Node ${own}.`);
});

const olderNode = `
  Object.defineProperty(process.versions, 'node', { value: '20.1.0' });
  await import('./infra/toolchain/require-node.mjs');
`;
