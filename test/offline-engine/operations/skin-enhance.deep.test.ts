import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changedShare,
  fineVariance,
  type ImageEngine,
  meanColor,
  sample,
  seen,
  startImageEngine,
} from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

const chin = { left: 215, top: 158, width: 30, height: 18 };
const background = { left: 320, top: 10, width: 40, height: 200 };
const hair = { left: 175, top: 25, width: 100, height: 35 };
const eyes = { left: 195, top: 98, width: 60, height: 8 };
const suit = { left: 60, top: 330, width: 70, height: 120 };

const enhanced = (levels: object, imageUrl = engine.at('astronaut.jpg')) =>
  engine.make('skin-enhance', { imageUrl, aspectRatio: '1:1', ...levels });
const still = { textureLevel: 0, poresDetail: 0, lightingFix: false };

describe('skin enhancement', () => {
  it('adds more fine texture to skin at higher levels, and changes no other parts of the image', async () => {
    const original = await seen(await sample('astronaut.jpg'));
    for (const level of ['textureLevel', 'poresDetail']) {
      const variances = [fineVariance(original, chin)];
      for (const value of [50, 100]) {
        const made = await enhanced({ ...still, [level]: value });
        variances.push(fineVariance(made, chin));
        for (const area of [background, hair, suit]) expect(changedShare(made, original, area)).toBe(0);
        expect(changedShare(made, original, eyes)).toBeLessThan(0.4);
      }
      const [none = 0, some = 0, much = 0] = variances;
      expect(some).toBeGreaterThan(none * 1.2);
      expect(much).toBeGreaterThan(some * 1.2);
    }
  });

  it('evens out the light on skin, and changes no other parts of the image', async () => {
    const original = await seen(await sample('astronaut.jpg'));
    const made = await enhanced({ ...still, lightingFix: true });
    expect(changedShare(made, original, chin)).toBeGreaterThan(0.5);
    expect(Math.abs(meanColor(made, chin)[0] - meanColor(original, chin)[0])).toBeLessThan(25);
    for (const area of [background, hair, suit]) expect(changedShare(made, original, area)).toBe(0);
  });

  it('changes no pixel if all levels are zero', async () => {
    const original = await seen(await sample('astronaut.jpg'));
    const made = await enhanced(still);
    expect([made.format, made.hasAlpha, made.width, made.height]).toEqual(['png', false, 512, 512]);
    expect(changedShare(made, original)).toBe(0);
  });

  it('returns the same image for the same input', async () => {
    const [one, other] = await Promise.all([enhanced({}), enhanced({})]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it('keeps transparency, and rotates a photo according to its EXIF orientation', async () => {
    const round = Buffer.from('<svg width="512" height="512"><circle cx="256" cy="256" r="250"/></svg>');
    const cut = sharp(await sample('astronaut.jpg'))
      .ensureAlpha()
      .composite([{ input: round, blend: 'dest-in' }]);
    const transparent = await cut.png().toBuffer();
    const made = await enhanced({}, engine.put(transparent));
    const original = await seen(transparent);
    expect(made.hasAlpha).toBe(true);
    const alpha = (pixels: Uint8Array) => Buffer.from(pixels.filter((_, place) => place % 4 === 3));
    expect(alpha(made.pixels).equals(alpha(original.pixels))).toBe(true);

    const turned = await sharp(await sample('rocket.jpg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const upright = await enhanced(still, engine.put(turned, 'jpg'));
    expect([upright.width, upright.height]).toEqual([320, 480]);
    expect(changedShare(upright, await seen(turned))).toBe(0);
  });

  it('finds skin by its color if no face is found in the image', async () => {
    const hand = { create: { width: 160, height: 120, channels: 3, background: '#4a6a8a' } } as const;
    const patch = await sharp({ create: { width: 90, height: 70, channels: 3, background: '#d9a88a' } })
      .png()
      .toBuffer();
    const image = await sharp(hand)
      .composite([{ input: patch, left: 35, top: 25 }])
      .png()
      .toBuffer();
    const original = await seen(image);
    const made = await enhanced({ textureLevel: 100 }, engine.put(image));
    expect(changedShare(made, original, { left: 60, top: 45, width: 40, height: 30 })).toBeGreaterThan(0.5);
    expect(changedShare(made, original, { left: 0, top: 0, width: 160, height: 20 })).toBe(0);
  });
});
