/** The motion of things that are neither faces nor people. */
import { describe, expect, test } from 'vitest';
import type { Image } from '../../../offline-engine/image/image.ts';
import { noiseAt } from '../../../offline-engine/image/seeded-random.ts';
import { sceneSightings } from '../../../offline-engine/imitation/scene-sightings.ts';

const [width, height] = [96, 96];

/** A frame whose brightness at each position is given, from 0 to 255. */
const frameOf = (brightnessAt: (x: number, y: number) => number): Image => {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    pixels.fill(Math.round(brightnessAt(index % width, Math.floor(index / width))), index * 4, index * 4 + 3);
    pixels[index * 4 + 3] = 255;
  }
  return { width, height, pixels, hasAlpha: false };
};

/** A surface of soft spots: it has a direction everywhere, and can be read between pixels. */
const surface = (x: number, y: number, seed: number): number => {
  const [left, top] = [Math.floor(x / 6), Math.floor(y / 6)];
  const [shareX, shareY] = [x / 6 - left, y / 6 - top];
  const at = (column: number, row: number) => 255 * noiseAt(column + 500, row + 500, seed);
  const upper = at(left, top) * (1 - shareX) + at(left + 1, top) * shareX;
  const lower = at(left, top + 1) * (1 - shareX) + at(left + 1, top + 1) * shareX;
  return upper * (1 - shareY) + lower * shareY;
};

/** A square of 36 pixels before a still background. */
const squareAt = (centerX: number, centerY: number): Image =>
  frameOf((x, y) =>
    Math.abs(x - centerX) < 18 && Math.abs(y - centerY) < 18 ? surface(x - centerX, y - centerY, 1) : 120,
  );

const times = Array.from({ length: 20 }, (_, index) => index);

describe('a subject in front of a still background', () => {
  test('is followed along a circle, there and back', () => {
    const place = (time: number) => ({
      x: 48 + 24 * Math.cos((2 * Math.PI * time) / 20),
      y: 48 + 20 * Math.sin((2 * Math.PI * time) / 20),
    });
    const path = sceneSightings(times.map((time) => squareAt(place(time).x, place(time).y)));
    for (const time of times) {
      expect(Math.abs((path[time]?.x ?? 0) - (path[0]?.x ?? 0) - (place(time).x - place(0).x))).toBeLessThan(4);
      expect(Math.abs((path[time]?.y ?? 0) - (path[0]?.y ?? 0) - (place(time).y - place(0).y))).toBeLessThan(4);
    }
  });

  test('stays in place if it does not move', () => {
    const path = sceneSightings(times.map(() => squareAt(40, 50)));
    expect(new Set(path.map((pose) => JSON.stringify(pose))).size).toBe(1);
  });
});

describe('a camera motion', () => {
  test('moves everything by its own motion', () => {
    const path = sceneSightings(times.map((time) => frameOf((x, y) => surface(x + 3 * time, y - time, 2))));
    const last = path.at(-1);
    expect(Math.abs((last?.x ?? 0) - 48 + 57)).toBeLessThan(5);
    expect(Math.abs((last?.y ?? 0) - 48 - 19)).toBeLessThan(5);
  });

  test('with zoom and rotation changes size and angle', () => {
    const path = sceneSightings(
      times.slice(0, 11).map((time) => {
        const [factor, angle] = [1.02 ** time, 0.02 * time];
        const [cos, sin] = [Math.cos(angle) / factor, Math.sin(angle) / factor];
        return frameOf((x, y) => surface((x - 48) * cos + (y - 48) * sin, (y - 48) * cos - (x - 48) * sin, 3));
      }),
    );
    const [first, last] = [path[0], path.at(-1)];
    expect((last?.size ?? 0) / (first?.size ?? 1)).toBeGreaterThan(1.12);
    expect((last?.size ?? 0) / (first?.size ?? 1)).toBeLessThan(1.32);
    expect(last?.angle).toBeGreaterThan(0.12);
    expect(last?.angle).toBeLessThan(0.28);
  });
});
