import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decode } from '../../offline-engine/speech/sound.ts';
import { eventually } from '../../support/eventually.ts';
import { type DemoProcess, demoProcess } from './demo-process.ts';

const started: DemoProcess[] = [];

const start = (options?: Parameters<typeof demoProcess>[0]): DemoProcess => {
  const demo = demoProcess(options);
  started.push(demo);
  return demo;
};

const linesWith = (mark: string, { stdout }: DemoProcess): string[] =>
  stdout.split('\n').filter((line) => line.trim().startsWith(mark));

describe('the demo', () => {
  afterEach(async () => {
    await Promise.all(started.splice(0).map((demo) => demo.remove()));
  });

  describe('if it succeeds', () => {
    let demo: DemoProcess;
    beforeAll(async () => {
      demo = demoProcess();
      await demo.ended;
    });
    afterAll(() => demo.remove());

    it('saves two different MP3 files, passes all checks and leaves no process or other file behind', async () => {
      expect(demo.stderr).toBe('');
      expect(await demo.ended).toBe(0);
      expect(linesWith('✓', demo).length).toBe(8);
      expect(linesWith('✗', demo)).toEqual([]);
      expect(demo.stdout).toContain('All 8 passed.');
      expect(readdirSync(demo.outDir)).toEqual(['index.html', 'voice-english.mp3', 'voice.mp3']);
      const names = readdirSync(demo.outDir).filter((name) => name.endsWith('.mp3'));
      const files = names.map((name) => readFileSync(join(demo.outDir, name)));
      const [english, portuguese] = await Promise.all(files.map(decode));
      expect(portuguese?.seconds).toBeGreaterThan(1);
      expect(english?.seconds).toBeGreaterThan(1);
      expect(portuguese?.samples).not.toEqual(english?.samples);
      expect(readFileSync(join(demo.outDir, 'index.html'), 'utf8').match(/<audio controls/g)).toHaveLength(2);
      expect(demo.temporaryFiles()).toEqual([]);
    });

    it('writes plain lines if the output is not a terminal: no colors, nothing redrawn', () => {
      expect(demo.stdout).not.toContain('\u001b');
      expect(demo.stdout).toMatch(/^ +voice +completed +100 %\n/m);
    });
  });

  it('reports the failed checks if the engine fails, and exits with 1', async () => {
    const demo = start({ environment: { OFFLINE_ENGINE_FAILURE: 'fail' } });

    expect(await demo.ended).toBe(1);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗', demo).map((line) => line.trim())).toEqual([
      '✗ Every task was completed, and its progress never decreased.',
      '✗ Every result has the type, dimensions and duration that its request and its task state.',
      '✗ The ledger contains one debit for the cost of each task, and no other new rows.',
    ]);
    expect(demo.stdout).toMatch(/voice(-english)? failed: PROVIDER_ERROR; voice(-english)? failed: PROVIDER_ERROR/);
    expect(demo.stdout).toContain('3 of 8 failed.');
    expect(readdirSync(demo.outDir)).toEqual([]);
  });

  it('ends on Ctrl-C, even if repeated, together with everything that it started', async () => {
    const demo = start({ environment: { OFFLINE_ENGINE_LATENCY_MS: '60000' } });
    await eventually('progress', () => /voice +processing/.test(demo.stdout) || undefined, {
      patienceMs: 60_000,
    });
    demo.interrupt();
    demo.interrupt();

    expect(await demo.ended).toBe(130);
    expect(demo.stderr).toBe('The demo was stopped.\n');
    expect(demo.temporaryFiles()).toEqual([]);
  });

  it.each([
    ['a part of the service cannot start', { environment: { DYNAMODB_ENDPOINT: 'nonsense' } }, /DYNAMODB_ENDPOINT/],
    [
      'the results cannot be saved',
      { args: ['--out', '/dev/null/results'] },
      /cannot be saved in \/dev\/null\/results/,
    ],
  ])('prints one sentence and exits with 1 if %s', async (_, options, sentence) => {
    const demo = start(options);

    expect(await demo.ended).toBe(1);
    expect(demo.stdout).toBe('');
    expect(demo.stderr).toMatch(sentence);
    expect(demo.stderr.trim().split('\n').length).toBe(1);
    expect(demo.temporaryFiles()).toEqual([]);
  });
});
