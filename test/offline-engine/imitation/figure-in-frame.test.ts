/** The whole figure stays inside the frame, however it moves. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Figure, posesWithin } from '../../../offline-engine/imitation/figure-in-frame.ts';
import type { Movement } from '../../../offline-engine/imitation/pose-path.ts';

const size = { width: 90, height: 160 };
const whole = { left: false, top: false, right: false, bottom: false };

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const figures = fc.record({
  middle: fc.record({ x: between(-20, 110), y: between(-20, 180) }),
  width: between(2, 200),
  height: between(2, 300),
  cut: fc.record({ left: fc.boolean(), top: fc.boolean(), right: fc.boolean(), bottom: fc.boolean() }),
});

const movements = fc.array(
  fc.record({ x: between(-0.3, 0.3), y: between(-0.22, 0.22), scale: between(0.6, 1.5), angle: between(-0.52, 0.52) }),
  { minLength: 1, maxLength: 5 },
);

/** The box around the corners of a figure that is moved, rotated and scaled around its center. */
function boxAt({ middle, width, height }: Figure, center: { x: number; y: number }, pose: Movement) {
  const corners = [-0.5, 0.5].flatMap((right) =>
    [-0.5, 0.5].map((down) => {
      const [x, y] = [middle.x + right * width - center.x, middle.y + down * height - center.y];
      const [cos, sin] = [pose.scale * Math.cos(pose.angle), pose.scale * Math.sin(pose.angle)];
      return { x: pose.x + cos * x - sin * y, y: pose.y + sin * x + cos * y };
    }),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

test('no side of a moving character leaves the frame, except where the character’s image already cuts it off', () => {
  fc.assert(
    fc.property(figures, movements, between(-10, 10), between(-10, 10), (figure, moves, x, y) => {
      const center = { x: figure.middle.x + x, y: figure.middle.y + y };
      for (const pose of posesWithin(size, figure, center, moves)) {
        const box = boxAt(figure, center, pose);
        const { cut } = figure;
        if (!cut.left) expect(box.left).toBeGreaterThan(-0.01);
        if (!cut.right) expect(box.right).toBeLessThan(size.width + 0.01);
        if (!cut.top) expect(box.top).toBeGreaterThan(-0.01);
        if (!cut.bottom) expect(box.bottom).toBeLessThan(size.height + 0.01);
      }
    }),
  );
});

test('a character that stays within the frame moves exactly as the reference does', () => {
  const figure = { middle: { x: 45, y: 90 }, width: 20, height: 40, cut: whole };
  const center = { x: 45, y: 75 };
  const moves = [
    { x: 0, y: 0, scale: 1, angle: 0 },
    { x: 0.2, y: -0.1, scale: 1.2, angle: 0.3 },
  ];
  expect(posesWithin(size, figure, center, moves)).toEqual([
    { x: 45, y: 75, scale: 1, angle: 0 },
    { x: 63, y: 59, scale: 1.2, angle: 0.3 },
  ]);
});

test('a character that is too large for the frame is scaled down in place', () => {
  const figure = { middle: { x: 45, y: 60 }, width: 180, height: 120, cut: whole };
  const [pose] = posesWithin(size, figure, figure.middle, [{ x: 0, y: 0, scale: 1, angle: 0 }]);
  expect(pose?.scale).toBeCloseTo(0.5);
  expect(boxAt(figure, figure.middle, pose ?? expect.fail()).bottom).toBeCloseTo(120);
});
