import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageOf } from '../../../offline-engine/image/image.ts';
import { filmedImage, placeFor, type View } from '../../../offline-engine/video/filmed-image.ts';
import { blankFrame, bytesOf } from '../../../offline-engine/video/frame.ts';
import { paintSprite } from '../../../offline-engine/video/sprite.ts';

const size = { width: 72, height: 128 };

/** An image in which red increases from left to right, and green from top to bottom. */
const gradient = async () => {
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let at = 0; at < size.width * size.height; at += 1) {
    pixels[at * 3] = 40 + Math.round((200 * (at % size.width)) / size.width);
    pixels[at * 3 + 1] = 40 + Math.round((200 * Math.floor(at / size.width)) / size.height);
  }
  return filmedImage(await imageOf(sharp(pixels, { raw: { ...size, channels: 3 } }), false), size);
};

const sprite = await gradient();

const seen = (view: Partial<View>) => {
  const frame = blankFrame(size);
  paintSprite(frame, sprite, placeFor({ zoom: 1, x: 0, y: 0, degrees: 0, ...view }, size));
  return (x: number, y: number) => Array.from(bytesOf(frame).subarray((y * 72 + x) * 4, (y * 72 + x) * 4 + 2));
};
const near = (one: readonly number[], other: readonly number[]) =>
  one.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) <= 12);

test('a camera that does not move shows the whole image, and a zoomed one only the middle', () => {
  expect(near(seen({})(0, 0), [40, 40])).toBe(true);
  expect(near(seen({})(71, 127), [240, 240])).toBe(true);
  expect(near(seen({ zoom: 2 })(0, 0), [90, 90])).toBe(true);
  expect(near(seen({ zoom: 2, x: 0.2 })(36, 64), [180, 140])).toBe(true);
});

test.for<Partial<View>>([{ x: 9 }, { zoom: 1.2, x: 9, y: -9 }, { zoom: 0.3 }, { zoom: 1.3, x: -9, y: 9, degrees: 6 }])(
  'the camera over an image never shows anything beyond the image’s edges: %j',
  (view) => {
    const at = seen(view);
    for (const [x, y] of [
      [0, 0],
      [71, 0],
      [0, 127],
      [71, 127],
    ] as const) {
      expect(Math.min(...at(x, y)), `${x},${y}`).toBeGreaterThanOrEqual(38);
    }
  },
);

test.for<[number, number]>([
  [16_000, 10],
  [10, 16_000],
  [1, 1],
])('an image of %i × %i pixels is cropped for a video without being enlarged', async ([width, height]) => {
  const plain = sharp({ create: { width, height, channels: 3, background: '#3080c0' } });
  const { pixels, ...made } = await filmedImage(await imageOf(plain, false), { width: 720, height: 1280 });
  expect(made).toEqual({ width: 866, height: 1538 });
  expect((pixels[pixels.length / 2 + 400] ?? 0) & 0xffffff).toBe(0xc08030);
});
