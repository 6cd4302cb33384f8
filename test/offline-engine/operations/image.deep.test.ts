import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedShare, type ImageEngine, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

const render = (changes: object) =>
  engine.makeAll('image', { prompt: 'A red sneaker', aspectRatio: '21:9', numImages: 1, ...changes });

describe('image generation', () => {
  it.each([
    ['1:1', 1024, 1024],
    ['16:9', 1344, 768],
    ['9:16', 768, 1344],
    ['4:3', 1152, 864],
    ['3:4', 864, 1152],
  ])('renders %s at %i by %i pixels', async (aspectRatio, width, height) => {
    const [made] = await render({ aspectRatio });
    expect(made).toMatchObject({ format: 'png', contentType: 'image/png', hasAlpha: false, width, height });
  });

  it('makes the requested number of different images, and the same ones for the same seed', async () => {
    const [first, again] = await Promise.all([render({ numImages: 2, seed: 7 }), render({ numImages: 2, seed: 7 })]);
    expect(first.length).toBe(2);
    expect(new Set(first.map(({ bytes }) => bytes.toString('base64'))).size).toBe(2);
    expect(again.map(({ bytes }) => bytes.toString('base64'))).toEqual(
      first.map(({ bytes }) => bytes.toString('base64')),
    );
  });

  it('makes a different image for another seed, for another prompt, and each time if no seed is given', async () => {
    const changes = [{ seed: 1 }, { seed: 2 }, { seed: 1, prompt: 'A blue sneaker' }, {}, {}];
    const upper = { left: 0, top: 0, width: 1536, height: 300 };
    const made = (await Promise.all(changes.map(render))).flat();
    for (const [index, one] of made.entries()) {
      for (const other of made.slice(index + 1)) expect(changedShare(one, other, upper)).toBeGreaterThan(0.5);
    }
  });

  it('renders prompts in any writing system, and names the engine in the metadata', async () => {
    const prompts = ['<b>&amp;</b> "Olá"', '漢字 🎉', 'ção '.repeat(1000)];
    const made = (await Promise.all(prompts.map((prompt) => render({ prompt, seed: 3 })))).flat();
    for (const { bytes } of made) {
      expect((await sharp(bytes).metadata()).exif?.toString('latin1')).toContain('Offline engine, sandbox');
    }
  });
});
