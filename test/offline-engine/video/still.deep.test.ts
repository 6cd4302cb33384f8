import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageOf } from '../../../offline-engine/image/image.ts';
import { blankFrame, bytesOf } from '../../../offline-engine/video/frame.ts';
import { paintStill, stillOf, type View } from '../../../offline-engine/video/still.ts';

const size = { width: 36, height: 64 };

/** Red grows from left to right, green from top to bottom. */
const gradient = async () => {
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let at = 0; at < size.width * size.height; at += 1) {
    pixels[at * 3] = Math.round((255 * (at % size.width)) / (size.width - 1));
    pixels[at * 3 + 1] = Math.round((255 * Math.floor(at / size.width)) / (size.height - 1));
  }
  return stillOf(await imageOf(sharp(pixels, { raw: { ...size, channels: 3 } }), false), size);
};

const still = await gradient();

const seen = (view: Partial<View>, share?: number) => {
  const frame = blankFrame(size);
  paintStill(frame, still, { zoom: 1, x: 0, y: 0, degrees: 0, ...view }, share);
  return (x: number, y: number) => Array.from(bytesOf(frame).subarray((y * 36 + x) * 4, (y * 36 + x) * 4 + 3));
};

const isNear = (one: readonly number[], other: readonly number[]) =>
  one.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) <= 8);

test('without movement, the camera shows the whole image', () => {
  const at = seen({});
  for (const [x, y, color] of [
    [0, 0, [0, 0, 0]],
    [35, 0, [255, 0, 0]],
    [0, 63, [0, 255, 0]],
    [35, 63, [255, 255, 0]],
    [18, 32, [131, 130, 0]],
  ] as const) {
    expect(isNear(at(x, y), color), `${x},${y} is ${at(x, y).join(' ')}`).toBe(true);
  }
});

test('zooming the camera shows the middle, and rotating it moves the corners', () => {
  const near = seen({ zoom: 2 });
  expect(isNear(near(0, 0), [64, 64, 0])).toBe(true);
  expect(isNear(near(35, 63), [191, 191, 0])).toBe(true);
  const turned = seen({ zoom: 2, degrees: 10 });
  expect(turned(35, 0)[1]).toBeGreaterThan((turned(0, 0)[1] ?? 0) + 8);
});

test.for<Partial<View>>([{ x: 9 }, { zoom: 1.2, x: 9, y: 9 }, { zoom: 0.3 }, { zoom: 1.3, x: 9, y: 9, degrees: 6 }])(
  'the camera never shows anything beyond the image’s edges: %j',
  (view) => {
    const at = seen(view);
    // At an edge that it had to cross, the color would not change any more.
    expect(at(34, 32)[0]).toBeLessThanOrEqual(at(35, 32)[0] ?? 0);
    expect(at(0, 32)[0]).toBeLessThan(at(30, 32)[0] ?? 0);
    expect(at(35, 20)).not.toEqual(at(30, 20));
  },
);

test('an opacity below one mixes the image with what the frame contains', () => {
  const [half, whole] = [seen({}, 128), seen({})];
  const expected = whole(35, 63).map((value) => value / 2);
  expect(isNear(half(35, 63), expected)).toBe(true);
});

test.for<[number, number]>([
  [16_000, 10],
  [10, 16_000],
  [1, 1],
])('an image of %i × %i pixels is cropped without enlarging the rest of it', async ([width, height]) => {
  const plain = sharp({ create: { width, height, channels: 3, background: '#3080c0' } });
  const { pixels, ...size } = await stillOf(await imageOf(plain, false), { width: 720, height: 1280 });
  expect(size).toEqual({ width: 864, height: 1536 });
  expect((pixels[pixels.length / 2] ?? 0) & 0xffffff).toBe(0xc08030);
});
