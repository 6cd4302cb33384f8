import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { type DemoProcess, demoProcess } from '../demo-process.ts';

let demo: DemoProcess;

const start = (environment: Readonly<Record<string, string>>) => {
  demo = demoProcess({ args: ['--images'], environment: { OFFLINE_ENGINE_LATENCY_MS: '0', ...environment } });
};
afterEach(() => demo.remove());

const linesWith = (mark: string): string[] =>
  demo.stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(mark));

const results = [
  '1-image-1.png',
  '1-image-2.png',
  '2-image-edit.png',
  '3-character-replace.png',
  '4-background-remove.png',
  '5-image-upscale.png',
  '6-influencer.png',
  '7-skin-enhance.png',
];

describe('the demo of pictures', { timeout: 120_000 }, () => {
  it('saves what the seven operations made, and a contact sheet, and finds each of its promises true', async () => {
    start({});

    expect(await demo.ended).toBe(0);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([]);
    expect(linesWith('✓')).toHaveLength(9);
    expect(demo.stdout).toContain('All 9 are true.');
    expect(demo.stdout).toMatch(/^ +-8 {2}generation {2}image, task /m);
    expect(readdirSync(demo.outDir)).toEqual([...results, 'contact-sheet.png']);
    const files = results.map((name) => readFileSync(join(demo.outDir, name)).toString('base64'));
    expect(new Set(files).size).toBe(results.length);
    const sheet = sharp(join(demo.outDir, 'contact-sheet.png'));
    expect(await sheet.metadata()).toMatchObject({ format: 'png', width: 1600, hasAlpha: false });
    // A sheet without its pictures would be of one colour and a little ink.
    expect((await sheet.stats()).entropy).toBeGreaterThan(4);
    expect(demo.temporaryFiles()).toEqual([]);
  });

  it('says what was not true when the engine refuses, and exits with 1', async () => {
    start({ OFFLINE_ENGINE_FAILURE: 'refuse' });

    expect(await demo.ended).toBe(1);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([
      '✗ All seven tasks were completed, and their progress never went back.',
      '✗ Every result is a picture of the type, dimensions and bytes that its task says.',
      '✗ Every result is what was asked for, as far as pixels can tell.',
      '✗ The ledger has gained the seven debits, of what the tasks cost, and nothing else.',
    ]);
    expect(readdirSync(demo.outDir)).toEqual([]);
  });
});
