/** The path of a subject: gaps are filled, and it is smoothed and kept in the frame. */
import { describe, expect, test } from 'vitest';
import { movementAt, movementsOf, type Pose } from '../../../offline-engine/imitation/pose-path.ts';

const frame = { width: 100, height: 200 };
const at = (x: number, more: Partial<Pose> = {}): Pose => ({ x, y: 100, size: 20, angle: 0, ...more });
const list = <Value>(length: number, valueAt: (index: number) => Value) => Array.from({ length }, (_, i) => valueAt(i));

describe('the movements of a reference subject', () => {
  test('are relative to the first position, as fractions of the frame', () => {
    const path = list(30, (index) =>
      at(40 + index / 2, { y: 100 - index, size: 20 * 1.01 ** index, angle: index / 100 }),
    );
    const movements = movementsOf(path, frame);
    expect(movements[0]?.x).toBeCloseTo(0, 1);
    expect(movements[20]?.x).toBeCloseTo(0.1, 2);
    expect(movements[20]?.y).toBeCloseTo(-0.1, 2);
    expect(movements[20]?.scale).toBeCloseTo(1.01 ** 20, 2);
    expect(movements[20]?.angle).toBeCloseTo(0.2, 2);
  });

  test('are interpolated where the subject was not detected, and held at both ends', () => {
    const path = list(21, (index) => (index < 4 || index > 16 || index % 5 === 2 ? undefined : at(30 + index)));
    const movements = movementsOf(path, frame);
    expect(movements[0]).toEqual(movements[1]);
    expect(movements.at(-1)).toEqual(movements.at(-2));
    expect((movements[12]?.x ?? 0) - (movements[8]?.x ?? 0)).toBeCloseTo(0.04, 3);
  });

  test('do not jump after a single misdetection', () => {
    const path = list(21, (index) => at(index === 10 ? 95 : 50));
    for (const { x } of movementsOf(path, frame)) expect(Math.abs(x)).toBeLessThan(0.01);
  });

  test('are scaled down proportionally if the subject crosses the whole frame, so that they stay within the frame', () => {
    const movements = movementsOf(
      list(41, (index) => at(2.5 * index, { size: 10 * 1.05 ** index, angle: index / 10 })),
      frame,
    );
    const steps = movements.slice(5, 35).map(({ x }, index) => (movements[index + 6]?.x ?? 0) - x);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(1e-9);
    for (const { x, scale, angle } of movements) {
      expect(Math.abs(x)).toBeLessThanOrEqual(0.3 + 1e-9);
      expect(Math.abs(Math.log(scale))).toBeLessThanOrEqual(Math.log(1.5) + 1e-9);
      expect(Math.abs(angle)).toBeLessThanOrEqual(Math.PI / 6 + 1e-9);
    }
  });

  test('follow an angle that cannot be told apart from one that differs by half a turn', () => {
    const angles = list(21, (index) => 1.5 + index / 100).map((angle) =>
      angle > Math.PI / 2 ? angle - Math.PI : angle,
    );
    const movements = movementsOf(
      angles.map((angle) => at(50, { angle })),
      frame,
      Math.PI,
    );
    expect(movements[15]?.angle).toBeCloseTo(0.15, 2);
  });

  test('are zero if the subject was never detected', () => {
    for (const movement of movementsOf([undefined, undefined], frame))
      expect(movement).toEqual({ x: 0, y: 0, scale: 1, angle: 0 });
  });
});

test('positions between two recorded movements are interpolated, and the last one is held', () => {
  const movements = [0, 0.1, 0.2, 0.3].map((x) => ({ x, y: 0, scale: 1, angle: 0 }));
  expect(movementAt(movements, 1).x).toBeCloseTo(0.1, 9);
  expect(movementAt(movements, 1.5).x).toBeCloseTo(0.15, 9);
  expect(movementAt(movements, 9)).toEqual({ x: expect.closeTo(0.3, 9), y: 0, scale: 1, angle: 0 });
});
