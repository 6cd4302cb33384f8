import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankFrame, type Frame } from '../../../offline-engine/video/frame.ts';
import { type Place, paintSprite, spriteOfImage } from '../../../offline-engine/video/sprite.ts';

const gray = 0x404040;

const frameOf = (width: number, height: number): Frame => {
  const frame = blankFrame({ width, height });
  frame.pixels.fill(gray);
  return frame;
};

/** A square of one color. */
const square = (side: number, [red, green, blue, alpha]: readonly [number, number, number, number]) => {
  const pixels = Uint8Array.from({ length: side * side * 4 }, (_, at) => [red, green, blue, alpha][at % 4] ?? 0);
  return spriteOfImage({ width: side, height: side, pixels, hasAlpha: true });
};

const colorAt = ({ pixels, width }: Frame, x: number, y: number) => {
  const pixel = pixels[y * width + x] ?? 0;
  return [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
};

test('an opaque sprite is painted on exactly its own pixels around its center', () => {
  const frame = frameOf(20, 20);
  paintSprite(frame, square(6, [255, 0, 128, 255]), { x: 10, y: 10 });
  for (let y = 0; y < 20; y += 1) {
    for (let x = 0; x < 20; x += 1) {
      const inside = x >= 7 && x < 13 && y >= 7 && y < 13;
      expect([x, y, ...colorAt(frame, x, y)]).toEqual([x, y, ...(inside ? [255, 0, 128] : [64, 64, 64])]);
    }
  }
});

test('a sprite is blended with what is below it according to its opacity and alpha', () => {
  const frame = frameOf(10, 10);
  paintSprite(frame, square(6, [255, 255, 255, 255]), { x: 5, y: 5, opacity: 0.5 });
  for (const channel of colorAt(frame, 5, 5)) expect(Math.abs(channel - 160)).toBeLessThanOrEqual(2);
  paintSprite(frame, square(6, [0, 0, 0, 128]), { x: 5, y: 5 });
  for (const channel of colorAt(frame, 5, 5)) expect(Math.abs(channel - 80)).toBeLessThanOrEqual(2);
});

test('a sprite is enlarged by its scale, narrowed by its width and turned by its angle', () => {
  const sprite = square(10, [255, 255, 255, 255]);
  const covered = (place: Partial<Place>) => {
    const frame = frameOf(60, 60);
    paintSprite(frame, sprite, { x: 30, y: 30, ...place });
    return frame.pixels.filter((pixel) => pixel !== gray).length;
  };
  expect(covered({ scale: 4 })).toBeGreaterThan(14 * covered({}));
  expect(covered({ scale: 4, widthScale: 0.5 })).toBeLessThan(0.6 * covered({ scale: 4 }));
  expect(Math.abs(covered({ scale: 4, radians: 1 }) / covered({ scale: 4 }) - 1)).toBeLessThan(0.15);
  expect(covered({ scale: 0 })).toBe(0);
});

test('a negative width mirrors a sprite', () => {
  const pixels = Uint8Array.from([255, 0, 0, 255, 0, 0, 255, 255]);
  const sprite = spriteOfImage({ width: 2, height: 1, pixels, hasAlpha: false });
  const [plain, mirrored] = [frameOf(8, 8), frameOf(8, 8)];
  paintSprite(plain, sprite, { x: 4, y: 4.5 });
  paintSprite(mirrored, sprite, { x: 4, y: 4.5, widthScale: -1 });
  expect(colorAt(plain, 3, 4)).toEqual([255, 0, 0]);
  expect(colorAt(mirrored, 3, 4)).toEqual([0, 0, 255]);
});

test('a sprite changes no pixel outside its own area, wherever it is drawn', () => {
  const sprite = square(9, [255, 255, 255, 255]);
  const coordinate = fc.double({ min: -30, max: 60, noNaN: true });
  const placed = fc.record({
    x: coordinate,
    y: coordinate,
    scale: fc.double({ min: -1, max: 5, noNaN: true }),
    widthScale: fc.double({ min: -2, max: 2, noNaN: true }),
    radians: fc.double({ min: -7, max: 7, noNaN: true }),
    opacity: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(placed, (place) => {
      const frame = frameOf(32, 24);
      paintSprite(frame, sprite, place);
      const reach = 9 * Math.abs(place.scale) * Math.max(1, Math.abs(place.widthScale)) + 2;
      for (const [index, pixel] of frame.pixels.entries()) {
        const [x, y] = [index % 32, Math.floor(index / 32)];
        if (pixel !== gray && Math.hypot(x - place.x, y - place.y) > reach) throw new Error(`${x},${y} was painted`);
      }
    }),
  );
});
