/** The motion of things that are neither faces nor people. */
import { describe, expect, test } from 'vitest';
import type { Image } from '../../../offline-engine/image/image.ts';
import { noiseAt } from '../../../offline-engine/image/seeded-random.ts';
import { sceneSightings } from '../../../offline-engine/imitation/scene-sightings.ts';

const [width, height] = [96, 96];

/** A frame with the given brightness at each position, from 0 to 255. */
const frameOf = (brightnessAt: (x: number, y: number) => number): Image => {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    pixels.fill(Math.round(brightnessAt(index % width, Math.floor(index / width))), index * 4, index * 4 + 3);
    pixels[index * 4 + 3] = 255;
  }
  return { width, height, pixels, hasAlpha: false };
};

/** A pattern of soft spots, which varies in every direction and can be sampled between pixels. */
const surface = (x: number, y: number, seed: number): number => {
  const [left, top] = [Math.floor(x / 6), Math.floor(y / 6)];
  const [shareX, shareY] = [x / 6 - left, y / 6 - top];
  const at = (column: number, row: number) => 255 * noiseAt(column + 500, row + 500, seed);
  const upper = at(left, top) * (1 - shareX) + at(left + 1, top) * shareX;
  const lower = at(left, top + 1) * (1 - shareX) + at(left + 1, top + 1) * shareX;
  return upper * (1 - shareY) + lower * shareY;
};

/** A square of 36 pixels in front of a still background. */
const squareAt = (centerX: number, centerY: number): Image =>
  frameOf((x, y) =>
    Math.abs(x - centerX) < 18 && Math.abs(y - centerY) < 18 ? surface(x - centerX, y - centerY, 1) : 120,
  );

const times = Array.from({ length: 20 }, (_, index) => index);

describe('a subject in front of a still background', () => {
  test('is followed all the way around a circle', () => {
    const place = (time: number) => ({
      x: 48 + 24 * Math.cos((2 * Math.PI * time) / 20),
      y: 48 + 20 * Math.sin((2 * Math.PI * time) / 20),
    });
    const path = sceneSightings(times.map((time) => squareAt(place(time).x, place(time).y)));
    for (const time of times.slice(1, -1)) {
      expect(Math.abs((path[time]?.x ?? 0) - place(time).x)).toBeLessThan(4);
      expect(Math.abs((path[time]?.y ?? 0) - place(time).y)).toBeLessThan(4);
    }
  });

  test('is not found if it does not move', () => {
    const path = sceneSightings(times.map(() => squareAt(40, 50)));
    expect(path.every((pose) => pose === undefined)).toBe(true);
  });
});
