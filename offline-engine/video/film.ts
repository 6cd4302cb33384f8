/** Darkens the edges of frames and adds grain, as a lens and a sensor do. */
import { noiseAt } from '../image/seeded-random.ts';
import type { Frame, FrameSize } from './frame.ts';

export interface Film {
  /** How much darker the corners are, from 0 to 1. */
  readonly vignette: number;
  /** The strength of the grain, in steps of 256. */
  readonly grain: number;
}

/** The size of a noise tile; must be a power of two. */
const tile = 256;

const grainTile = (strength: number): Int8Array => {
  const noise = new Int8Array(tile * tile);
  for (let at = 0; at < noise.length; at += 1) {
    // The sum of three uniform values is close to a normal distribution.
    const sum = noiseAt(at, 1, 7) + noiseAt(at, 2, 7) + noiseAt(at, 3, 7) - 1.5;
    noise[at] = Math.round(sum * 2 * strength);
  }
  return noise;
};

/** The brightness of each pixel, from 0 to 256. */
const brightnessMap = ({ width, height }: FrameSize, vignette: number): Uint16Array => {
  const map = new Uint16Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    const down = ((y + 0.5) / height) * 2 - 1;
    for (let x = 0; x < width; x += 1, at += 1) {
      const across = ((x + 0.5) / width) * 2 - 1;
      const distance = Math.min(1, (across * across + down * down) / 2);
      map[at] = Math.round(256 * (1 - vignette * distance * distance * (3 - 2 * distance)));
    }
  }
  return map;
};

const clamped = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value);

const { imul } = Math;

/** Adds the effects to frames; the grain differs in every frame. */
export const filmOn = (size: FrameSize, { vignette, grain }: Film): ((frame: Frame, index: number) => void) => {
  if (vignette === 0 && grain === 0) return () => undefined;
  const light = brightnessMap(size, vignette);
  const noise = grainTile(grain);
  return ({ pixels, width, height }, index) => {
    const [offsetX, offsetY] = [Math.floor(noiseAt(index, 5, 1) * tile), Math.floor(noiseAt(index, 9, 2) * tile)];
    for (let y = 0, at = 0; y < height; y += 1) {
      const row = ((y + offsetY) % tile) * tile;
      for (let x = 0; x < width; x += 1, at += 1) {
        const pixel = pixels[at] ?? 0;
        const brightness = light[at] ?? 256;
        const more = noise[row + ((x + offsetX) & (tile - 1))] ?? 0;
        const redAndBlue = imul(pixel & 0xff00ff, brightness) >>> 8;
        const red = clamped((redAndBlue & 255) + more);
        const green = clamped((imul((pixel >>> 8) & 255, brightness) >>> 8) + more);
        const blue = clamped((redAndBlue >>> 16) + more);
        pixels[at] = red | (green << 8) | (blue << 16);
      }
    }
  };
};
