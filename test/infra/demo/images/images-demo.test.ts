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
  it('saves the results of the seven operations, shows them with the samples on one page, and passes all checks', async () => {
    start({});

    expect(await demo.ended).toBe(0);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([]);
    expect(linesWith('✓')).toHaveLength(9);
    expect(demo.stdout).toContain('All 9 passed.');
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

  it('reports the failed checks if the engine rejects, and exits with 1', async () => {
    start({ OFFLINE_ENGINE_FAILURE: 'reject' });

    expect(await demo.ended).toBe(1);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗')).toEqual([
      '✗ All seven tasks were completed, and their progress never decreased.',
      '✗ Every result is an image with the type, dimensions and size that its task states.',
      '✗ Every result matches its request, as far as pixels show.',
      '✗ The ledger contains one debit for the cost of each task, and no other new rows.',
    ]);
    expect(readdirSync(demo.outDir)).toEqual([]);
  });
});
