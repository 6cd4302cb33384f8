import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOf } from '../../../offline-engine/operations/image-upscale.ts';
import { type ImageEngine, meanColor, type SeenImage, sample, seen, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

const upscale = (imageUrl: string, scale: number) => engine.make('image-upscale', { imageUrl, scale });

/** An image of 291 × 24 pixels, which is processed in two tiles of 146 pixels each. */
const strip = async (width = 291) =>
  sharp(await sample('astronaut.jpg')).extract({ left: 100, top: 80, width, height: 24 });

const squaredError = (one: SeenImage, other: SeenImage) =>
  one.pixels.reduce((sum, value, place) => sum + (value - (other.pixels[place] ?? 0)) ** 2, 0);

it.each([
  ['jpeg', { width: 65_535, height: 16, hasAlpha: false }, 'jpeg'],
  ['jpeg', { width: 16, height: 65_536, hasAlpha: false }, 'png'],
  ['jpeg', { width: 16, height: 16, hasAlpha: true }, 'png'],
  ['png', { width: 16, height: 16, hasAlpha: false }, 'png'],
] as const)('an image that was a %s and is upscaled to %j is encoded as %s', (came, image, format) => {
  expect(formatOf(came, image)).toBe(format);
});

describe('an image upscale', () => {
  it.each([
    [2, 291],
    // The second doubling of this image has two tiles.
    [4, 131],
  ])('returns the same image at exactly %i times the size', async (scale, width) => {
    const source = await (await strip(width)).png().toBuffer();
    const made = await upscale(engine.put(source), scale);
    expect(made).toMatchObject({ width: scale * width, height: scale * 24, format: 'png', hasAlpha: false });
    const smaller = await seen(await sharp(made.bytes).resize(width, 24).png().toBuffer());
    const original = await seen(source);
    const difference = smaller.pixels.reduce(
      (sum, value, place) => sum + Math.abs(value - (original.pixels[place] ?? 0)),
      0,
    );
    expect(difference / smaller.pixels.length).toBeLessThan(4);
  });

  it('has no visible seam between tiles', async () => {
    const made = await upscale(engine.put(await (await strip()).png().toBuffer()), 2);
    // The pixels around the seam at 292, compared with a part of the image that fits into one tile.
    const part = await (await strip()).clone().png().toBuffer();
    const alone = await upscale(
      engine.put(await sharp(part).extract({ left: 106, top: 0, width: 80, height: 24 }).png().toBuffer()),
      2,
    );
    for (let x = 40; x < 120; x += 1) {
      for (let y = 0; y < 48; y += 1) {
        for (let channel = 0; channel < 3; channel += 1) {
          const whole = made.pixels[(y * made.width + 212 + x) * 4 + channel] ?? 0;
          expect(Math.abs(whole - (alone.pixels[(y * alone.width + x) * 4 + channel] ?? 0))).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  it('is closer to an original that was scaled down than plain resampling is', async () => {
    const original = await sharp(await sample('astronaut.jpg'))
      .extract({ left: 150, top: 60, width: 160, height: 120 })
      .png()
      .toBuffer();
    const small = await sharp(original).resize(80, 60).png().toBuffer();
    const made = await upscale(engine.put(small), 2);
    const plain = await sharp(small).resize(160, 120).png().toBuffer();
    const truth = await seen(original);
    expect(squaredError(made, truth)).toBeLessThan(0.7 * squaredError(await seen(plain), truth));
  });

  it('keeps transparency', async () => {
    const round =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle cx="20" cy="15" r="10" fill="#c33"/></svg>';
    const made = await upscale(engine.put(await sharp(Buffer.from(round)).png().toBuffer()), 4);
    expect(made).toMatchObject({ width: 160, height: 120, hasAlpha: true });
    expect(meanColor(made, { left: 0, top: 0, width: 20, height: 20 })[3]).toBe(0);
    expect(meanColor(made, { left: 70, top: 50, width: 20, height: 20 })[3]).toBe(255);
  });

  it('returns a JPEG for a JPEG', async () => {
    const small = await sharp(await sample('rocket.jpg'))
      .resize(64)
      .jpeg()
      .toBuffer();
    const made = await upscale(engine.put(small, 'jpg'), 2);
    expect(made).toMatchObject({ format: 'jpeg', contentType: 'image/jpeg', width: 128, height: 86 });
  });

  it('upscales an image that is too large for the neural network within seconds', async () => {
    const large = { create: { width: 2100, height: 1450, channels: 3, background: '#3a6ea5' } } as const;
    const made = await upscale(engine.put(await sharp(large).jpeg().toBuffer(), 'jpg'), 2);
    expect([made.width, made.height]).toEqual([4200, 2900]);
  });

  it('rejects an output of over 64 megapixels', async () => {
    const wide = { create: { width: 3000, height: 1500, channels: 3, background: '#3a6ea5' } } as const;
    const imageUrl = engine.put(await sharp(wide).jpeg().toBuffer(), 'jpg');
    expect(await engine.failure('image-upscale', { imageUrl, scale: 4 })).toMatchObject({ code: 'INPUT_INVALID' });
  });
});
