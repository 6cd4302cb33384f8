import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('the demo of images', () => {
  it('saves what the seven operations made, shows it beside the samples on one page, and finds each of its promises true', async () => {
    start({});

    expect(await demo.ended).toBe(0);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([]);
    expect(linesWith('✓')).toHaveLength(9);
    expect(demo.stdout).toContain('All 9 are true.');
    expect(demo.stdout).toMatch(/^ +-8 {2}generation {2}image, task /m);
    expect(readdirSync(demo.outDir)).toEqual([...results, 'index.html']);
    const files = results.map((name) => readFileSync(join(demo.outDir, name)).toString('base64'));
    expect(new Set(files).size).toBe(results.length);
    const page = readFileSync(join(demo.outDir, 'index.html'), 'utf8');
    for (const file of files) expect(page).toContain(`base64,${file}"`);
    for (const name of ['astronaut.jpg', 'coffee.png']) expect(page).toContain(`<figcaption>${name}</figcaption>`);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(demo.temporaryFiles()).toEqual([]);
  });

  it('reports the broken promises when the engine rejects, and exits with 1', async () => {
    start({ OFFLINE_ENGINE_FAILURE: 'refuse' });

    expect(await demo.ended).toBe(1);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([
      '✗ All seven tasks were completed, and their progress never went back.',
      '✗ Every result is an image of the type, dimensions and bytes that its task says.',
      '✗ Every result is what was asked for, as far as pixels can tell.',
      '✗ The ledger has gained the seven debits, of what the tasks cost, and nothing else.',
    ]);
    expect(readdirSync(demo.outDir)).toEqual([]);
  });
});
