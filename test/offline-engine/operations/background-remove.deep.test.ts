import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageEngine, meanColor, sample, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

const remove = (changes: object = {}) =>
  engine.make('background-remove', {
    imageUrl: engine.at('astronaut.jpg'),
    format: 'png',
    background: 'transparent',
    ...changes,
  });
const face = { left: 200, top: 110, width: 50, height: 50 };
const wall = { left: 320, top: 20, width: 40, height: 150 };

describe('background removal', () => {
  it('keeps the person and makes the background transparent', async () => {
    const made = await remove();
    expect([made.width, made.height, made.format, made.hasAlpha]).toEqual([512, 512, 'png', true]);
    expect(meanColor(made, face)[3]).toBe(255);
    expect(meanColor(made, wall)[3]).toBe(0);
  });

  it('writes WebP on request', async () => {
    const made = await remove({ format: 'webp' });
    expect(made).toMatchObject({ format: 'webp', contentType: 'image/webp', hasAlpha: true, width: 512, height: 512 });
    expect(meanColor(made, wall)[3]).toBe(0);
  });

  it.each([
    [1, 1],
    [2, 2],
    [1, 300],
    [300, 2],
    [3, 3],
    [4, 4],
  ])('keeps an image of %i by %i pixels, which is too small to have a background', async (width, height) => {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#864' } })
      .png()
      .toBuffer();
    const made = await remove({ imageUrl: engine.put(bytes) });
    expect([made.width, made.height, made.format]).toEqual([width, height, 'png']);
  });

  it('places the person on a solid color if requested', async () => {
    const made = await remove({ background: '#22C55e' });
    expect(made.hasAlpha).toBe(false);
    expect(meanColor(made, wall)).toEqual([0x22, 0xc5, 0x5e, 255]);
    expect(meanColor(made, face)[0]).toBeGreaterThan(130);
  });

  it('keeps what differs from the image’s borders if there is no person', async () => {
    const things =
      '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><defs><linearGradient id="g"><stop offset="0" stop-color="#8fb7d9"/><stop offset="1" stop-color="#c9dcec"/></linearGradient></defs><rect width="240" height="160" fill="url(#g)"/><rect x="80" y="50" width="80" height="60" rx="12" fill="#b3261e"/></svg>';
    const made = await remove({ imageUrl: engine.put(await sharp(Buffer.from(things)).png().toBuffer()) });
    expect(meanColor(made, { left: 90, top: 60, width: 60, height: 40 })[3]).toBe(255);
    for (const left of [0, 180]) expect(meanColor(made, { left, top: 0, width: 60, height: 160 })[3]).toBe(0);
  });

  it('keeps a cup’s saucer but not the table', async () => {
    const made = await remove({ imageUrl: engine.at('coffee.png') });
    for (const saucer of [
      { left: 50, top: 90, width: 20, height: 40 },
      { left: 110, top: 160, width: 60, height: 20 },
      { left: 215, top: 100, width: 12, height: 30 },
    ]) {
      expect(meanColor(made, saucer)[3]).toBeGreaterThan(250);
    }
    expect(meanColor(made, { left: 250, top: 20, width: 50, height: 180 })[3]).toBeLessThan(3);
  });

  it('removes an evening sky completely', async () => {
    const made = await remove({ imageUrl: engine.at('rocket.jpg') });
    expect(meanColor(made, { left: 235, top: 140, width: 10, height: 120 })[3]).toBeGreaterThan(200);
    for (const left of [20, 270])
      expect(meanColor(made, { left, top: 10, width: 190, height: 240 })[3]).toBeLessThan(1);
  });

  it('rejects an image that shows no subject', async () => {
    const plain = sharp({ create: { width: 200, height: 150, channels: 3, background: '#678' } }).png();
    const imageUrl = engine.put(await plain.toBuffer());
    expect(await engine.failure('background-remove', { imageUrl })).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('no subject'),
    });
  });

  it('keeps an image’s transparent parts transparent', async () => {
    const hole = Buffer.from('<svg width="60" height="60"><rect width="60" height="60"/></svg>');
    const image = sharp(await sample('astronaut.jpg'));
    const pierced = image
      .ensureAlpha()
      .composite([{ input: hole, blend: 'dest-out', left: 195, top: 105 }])
      .png();
    const made = await remove({ imageUrl: engine.put(await pierced.toBuffer()) });
    expect(meanColor(made, face)[3]).toBe(0);
  });
});
