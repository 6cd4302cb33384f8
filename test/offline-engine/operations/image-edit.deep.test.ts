import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changedShare,
  type ImageEngine,
  meanColor,
  type SeenImage,
  sample,
  seen,
  startImageEngine,
} from '../image-client.ts';

let engine: ImageEngine;
let original: SeenImage;
beforeAll(async () => {
  engine = await startImageEngine();
  original = await seen(await sample('coffee.png'));
});
afterAll(() => engine.close());

const edit = (prompt: string, changes: object = {}) =>
  engine.make('image-edit', { imageUrl: engine.at('coffee.png'), prompt, ...changes });
/** The area above the label. */
const upper = { left: 0, top: 0, width: 300, height: 150 };
const brightness = (image: SeenImage) =>
  meanColor(image, upper)
    .slice(0, 3)
    .reduce((sum, value) => sum + value);
const warmth = (image: SeenImage) => meanColor(image, upper)[0] - meanColor(image, upper)[2];
const mask = (svg: string, side = 100) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${svg}</svg>`))
    .png()
    .toBuffer();

describe('an image edit', () => {
  it.each([
    ['brighter', ['Make it brighter', 'mais claro, por favor', 'hazla más clara'], brightness, 1],
    ['darker', ['a darker mood', 'mais escuro', 'más oscuro'], brightness, -1],
    ['warmer', ['warmer tones', 'mais quente', 'más cálido'], warmth, 1],
    ['cooler', ['cooler', 'mais frio', 'más frío'], warmth, -1],
  ] as const)('makes an image %s if asked in any of three languages', async (_, prompts, measure, direction) => {
    const made = await Promise.all(prompts.map((prompt) => edit(prompt)));
    for (const image of made) {
      expect([image.width, image.height, image.format]).toEqual([300, 200, 'png']);
      expect((measure(image) - measure(original)) * direction).toBeGreaterThan(10);
    }
  });

  it('removes all color if asked for black and white', async () => {
    const made = await edit('Deixe em preto e branco');
    const [red, green, blue] = meanColor(made, upper);
    expect(Math.abs(red - green) + Math.abs(green - blue)).toBeLessThan(1);
  });

  it('if the prompt names no known adjustment, applies a color grade that depends on the prompt alone', async () => {
    const [dragon, again, castle] = await Promise.all(
      ['a dragon', 'a dragon', 'a castle'].map((prompt) => edit(prompt)),
    );
    if (!dragon || !again || !castle) throw new Error('three are made');
    expect(changedShare(dragon, original, upper)).toBeGreaterThan(0.9);
    expect(changedShare(dragon, castle, upper)).toBeGreaterThan(0.9);
    expect(dragon.bytes.equals(again.bytes)).toBe(true);
  });

  it('states on the image and in its metadata what was changed, or that the prompt was not understood', async () => {
    const plain = sharp({ create: { width: 600, height: 400, channels: 3, background: '#ddd' } }).png();
    const imageUrl = engine.put(await plain.toBuffer());
    const [understood, other] = await Promise.all([
      edit('more contrast', { imageUrl }),
      edit('put a red hat on the cat', { imageUrl }),
    ]);
    const remarkIn = async ({ bytes }: SeenImage) => (await sharp(bytes).metadata()).exif?.toString('latin1');
    expect(await remarkIn(understood)).toContain('engine: more contrast.');
    expect(await remarkIn(other)).toContain('prompt not understood, color grade instead');
    // The label that says that the prompt was not understood is long, and covers more than a short one.
    const right = { left: 200, top: 374, width: 100, height: 12 };
    expect(meanColor(understood, right)[1] - meanColor(other, right)[1]).toBeGreaterThan(50);
  });

  it('edits and labels only the white part of a mask of any size, and keeps every pixel outside it', async () => {
    const half = engine.put(await mask('<rect width="100" height="100"/><rect width="50" height="100" fill="#fff"/>'));
    const referenceImages = [engine.at('chelsea.webp'), engine.at('rocket.jpg')];
    const made = await edit('brighter', { maskUrl: half, referenceImages });
    expect(changedShare(made, original, { left: 0, top: 0, width: 140, height: 190 })).toBeGreaterThan(0.7);
    expect(changedShare(made, original, { left: 156, top: 0, width: 144, height: 200 })).toBe(0);
  });

  it('shows reference images as thumbnails beside the label', async () => {
    const [plain, referring] = await Promise.all([
      edit('brighter'),
      edit('brighter', { referenceImages: [engine.at('chelsea.webp'), engine.at('rocket.jpg')] }),
    ]);
    expect(changedShare(plain, referring, { left: 0, top: 0, width: 300, height: 150 })).toBe(0);
    expect(changedShare(plain, referring)).toBeGreaterThan(0.01);
  });

  it('keeps the person sharp when the background is blurred', async () => {
    const person = await seen(await sample('astronaut.jpg'));
    const made = await edit('desfoque o fundo', { imageUrl: engine.at('astronaut.jpg') });
    expect(changedShare(made, person, { left: 200, top: 110, width: 50, height: 40 })).toBe(0);
    expect(changedShare(made, person, { left: 340, top: 60, width: 120, height: 200 })).toBeGreaterThan(0.7);
  });

  it('keeps transparency', async () => {
    const round = await mask('<circle cx="50" cy="50" r="40" fill="#c33"/>', 200);
    const made = await edit('darker', { imageUrl: engine.put(round) });
    expect(made.hasAlpha).toBe(true);
    expect(meanColor(made, { left: 0, top: 0, width: 5, height: 5 })[3]).toBe(0);
    expect(meanColor(made, { left: 45, top: 45, width: 10, height: 10 })[3]).toBe(255);
  });

  it('rejects a mask without white parts', async () => {
    const maskUrl = engine.put(await mask('<rect width="100" height="100"/>'));
    const input = { imageUrl: engine.at('coffee.png'), prompt: 'brighter', maskUrl };
    expect(await engine.failure('image-edit', input)).toMatchObject({ code: 'INPUT_INVALID' });
  });
});
