/** Skin texture as a change of each pixel's brightness: fine grain and pores. */
import { noiseAt } from './seeded-random.ts';

/** How much darker or lighter (of 255) a pixel becomes. */
export type Relief = (x: number, y: number) => number;

/** Fine grain: noise of one pixel over noise of two, so that it does not look like static. */
export const grain = (strength: number, scale: number, seed: number): Relief => {
  if (strength === 0) return () => 0;
  const at = (x: number, y: number, salt: number) => noiseAt(x, y, seed + salt) + noiseAt(x, y, seed + salt + 1) - 1;
  const soft = (x: number, y: number) => {
    const [u, v] = [x / (1.6 * scale), y / (1.6 * scale)];
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const [shareX, shareY] = [u - left, v - top];
    const above = at(left, top, 2) * (1 - shareX) + at(left + 1, top, 2) * shareX;
    const below = at(left, top + 1, 2) * (1 - shareX) + at(left + 1, top + 1, 2) * shareX;
    return above * (1 - shareY) + below * shareY;
  };
  return (x, y) => strength * (0.55 * at(x, y, 0) + 0.95 * soft(x, y));
};

/**
 * Small dark dimples, one at a random position in each cell of a grid. The light comes from the upper left, so the
 * opposite rim is slightly brighter. `spacing` is in pixels.
 */
export const pores = (strength: number, spacing: number, seed: number): Relief => {
  if (strength === 0) return () => 0;
  const dimple = (column: number, row: number, x: number, y: number) => {
    const centreX = (column + 0.15 + 0.7 * noiseAt(column, row, seed)) * spacing;
    const centreY = (row + 0.15 + 0.7 * noiseAt(column, row, seed + 1)) * spacing;
    const radius = spacing * (0.2 + 0.14 * noiseAt(column, row, seed + 2));
    const depth = 0.25 + 0.75 * noiseAt(column, row, seed + 3);
    const [u, v] = [(x - centreX) / radius, (y - centreY) / radius];
    const hollow = Math.exp(-(u * u + v * v));
    const rim = Math.exp(-((u - 1) * (u - 1) + (v - 1) * (v - 1)) * 1.4);
    return depth * (0.45 * rim - hollow);
  };
  return (x, y) => {
    const [column, row] = [Math.floor(x / spacing), Math.floor(y / spacing)];
    let sum = 0;
    for (let down = -1; down <= 1; down += 1) {
      for (let across = -1; across <= 1; across += 1) sum += dimple(column + across, row + down, x, y);
    }
    return strength * sum;
  };
};
