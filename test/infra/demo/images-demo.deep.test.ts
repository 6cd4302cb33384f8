import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DemoProcess, demoProcess } from './demo-process.ts';

let demo: DemoProcess | undefined;
afterEach(() => demo?.remove());

const linesWith = (mark: string, { stdout }: DemoProcess): string[] =>
  stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(mark));

const results = [
  'background-remove.png',
  'character-replace.png',
  'image-1.png',
  'image-2.png',
  'image-edit.png',
  'image-upscale.png',
  'influencer.png',
  'skin-enhance.png',
];

describe('the demo of images', () => {
  it('saves the results of all image operations, shows them with the samples on one page, and passes all checks', async () => {
    demo = demoProcess({ args: ['--images'], environment: { OFFLINE_ENGINE_LATENCY_MS: '0' } });

    expect(await demo.ended).toBe(0);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗', demo)).toEqual([]);
    expect(linesWith('✓', demo)).toHaveLength(8);
    expect(demo.stdout).toContain('All 8 passed.');
    expect(demo.stdout).toMatch(/^ +-8 {2}generation {2}image, task /m);
    expect(readdirSync(demo.outDir)).toEqual([...results, 'index.html'].toSorted());
    const { outDir } = demo;
    const files = results.map((name) => readFileSync(join(outDir, name)).toString('base64'));
    expect(new Set(files).size).toBe(results.length);
    const page = readFileSync(join(demo.outDir, 'index.html'), 'utf8');
    for (const file of files) expect(page).toContain(`base64,${file}"`);
    for (const name of ['astronaut.jpg', 'coffee.png']) expect(page).toContain(`<figcaption>${name}</figcaption>`);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(demo.temporaryFiles()).toEqual([]);
  });
});
