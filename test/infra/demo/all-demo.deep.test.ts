/** The demo of all generation operations; `npm run demo -- --all` checks that their results pass all of its checks. */
import { readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { taskTypes } from '../../support/specified-generations.ts';
import { type DemoProcess, demoProcess } from './demo-process.ts';

let demo: DemoProcess | undefined;
afterEach(() => demo?.remove());

it('the demo of all operations sends a valid request for each task type, and reports failed checks if all tasks fail', async () => {
  demo = demoProcess({
    args: ['--all'],
    environment: { OFFLINE_ENGINE_LATENCY_MS: '0', OFFLINE_ENGINE_FAILURE: 'reject' },
  });
  expect(await demo.ended).toBe(1);
  expect(demo.stderr).toBe('');
  for (const type of taskTypes) expect(demo.stdout).toMatch(new RegExp(`^ +${type} +task\\.failed `, 'm'));
  expect(demo.stdout.match(/✗ .*/g)).toEqual([
    '✗ Every task was completed, and its progress never decreased.',
    '✗ Every result has the type, dimensions and duration that its request and its task state.',
    '✗ The ledger contains one debit for the cost of each task, and no other new rows.',
  ]);
  expect(demo.stdout).toContain('✓ Every request got a 202 response and a task of its own.');
  expect(readdirSync(demo.outDir)).toEqual([]);
});
