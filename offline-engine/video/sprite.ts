/** Images that move over frames: positioned by their center, scaled, rotated and faded. */
import sharp, { type Sharp } from 'sharp';
import { type Image, imageOf } from '../image/image.ts';
import type { Frame } from './frame.ts';

/** Pixels as in a frame, with alpha in the highest byte; colors are premultiplied. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

export interface Place {
  /** The position of the center, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  readonly scale?: number;
  /** The factor by which the width is stretched in addition to the scale; a negative one mirrors the sprite. */
  readonly widthScale?: number;
  readonly radians?: number;
  /** The opacity, from 0 to 1. */
  readonly opacity?: number;
  /** Whether the image has no sharp edges and need not be interpolated. */
  readonly isSoft?: true;
}

/** Adds a transparent border, so that edges stay smooth when the sprite is rotated. */
export const spriteOfImage = ({ width, height, pixels }: Image): Sprite => {
  const padded = new Uint32Array((width + 2) * (height + 2));
  for (let row = 0; row < height; row += 1) {
    let from = row * width * 4;
    let to = (row + 1) * (width + 2) + 1;
    for (let column = 0; column < width; column += 1, from += 4, to += 1) {
      const alpha = pixels[from + 3] ?? 0;
      const part = (channel: number) => Math.round(((pixels[from + channel] ?? 0) * alpha) / 255);
      padded[to] = ((alpha << 24) | (part(2) << 16) | (part(1) << 8) | part(0)) >>> 0;
    }
  }
  return { width: width + 2, height: height + 2, pixels: padded };
};

export const spriteOf = async (pipeline: Sharp): Promise<Sprite> => spriteOfImage(await imageOf(pipeline, true));

/** Draws a sprite; `draw` returns the elements of an SVG of this size. */
export const drawnSprite = (width: number, height: number, elements: string): Promise<Sprite> => {
  const [across, down] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}">${elements}</svg>`;
  return spriteOf(sharp(Buffer.from(svg)));
};

const { imul } = Math;
const evenBytes = 0x00ff00ff;
const oddBytes = 0xff00ff00;
const one = 2 ** 16;

const faded = (pixel: number, strength: number): number =>
  ((imul(pixel & evenBytes, strength) >>> 8) & evenBytes) | (imul((pixel >>> 8) & evenBytes, strength) & oddBytes);

/**
 * The color between four neighbors, most of which are similar; `right` and `below` are the weights of the far ones, from
 * 0 to 255. Kept short, because functions are inlined into loops over pixels only up to a certain size.
 */
const interpolated = (pixels: Uint32Array, corner: number, width: number, right: number, below: number): number => {
  const a = pixels[corner] ?? 0;
  const b = pixels[corner + 1] ?? 0;
  const c = pixels[corner + width] ?? 0;
  const d = pixels[corner + width + 1] ?? 0;
  if (a === b && a === c && a === d) return a;
  const ofD = imul(right, below) >> 8;
  const ofB = right - ofD;
  const ofC = below - ofD;
  const ofA = 256 - right - ofC;
  const even =
    imul(a & evenBytes, ofA) + imul(b & evenBytes, ofB) + imul(c & evenBytes, ofC) + imul(d & evenBytes, ofD);
  const odd =
    imul((a >>> 8) & evenBytes, ofA) +
    imul((b >>> 8) & evenBytes, ofB) +
    imul((c >>> 8) & evenBytes, ofC) +
    imul((d >>> 8) & evenBytes, ofD);
  return ((even >>> 8) & evenBytes) | (odd & oddBytes);
};

/** The columns for which `start + column * step` is at least 0 and below `limit`. */
const columnsInside = (start: number, step: number, limit: number): readonly [number, number] => {
  if (step === 0) return start >= 0 && start < limit ? [0, Number.POSITIVE_INFINITY] : [0, -1];
  const [entering, leaving] = [-start / step, (limit - 1 - start) / step];
  return [Math.ceil(Math.min(entering, leaving)), Math.floor(Math.max(entering, leaving))];
};

/** The rows that a rotated sprite can touch. */
const reachOf = ({ width, height }: Sprite, scaleX: number, scaleY: number): number =>
  Math.ceil(Math.hypot(width * scaleX, height * scaleY) / 2);

export const paintSprite = (frame: Frame, sprite: Sprite, place: Place): void => {
  const { x, y, scale = 1, widthScale = 1, radians = 0, opacity = 1, isSoft = false } = place;
  const strength = Math.round(Math.min(1, opacity) * 256);
  const [scaleX, scaleY] = [scale * widthScale, scale];
  if (strength <= 0 || Math.abs(scaleX) < 0.004 || Math.abs(scaleY) < 0.004) return;
  const { pixels, width } = sprite;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [stepU, stepV] = [Math.round((cos / scaleX) * one), Math.round((-sin / scaleY) * one)];
  const [limitU, limitV] = [(width - 1) * one, (sprite.height - 1) * one];
  const reach = reachOf(sprite, scaleX, scaleY);
  const lastRow = Math.min(frame.height, Math.ceil(y + reach)) - 1;
  for (let row = Math.max(0, Math.floor(y - reach)); row <= lastRow; row += 1) {
    const down = row + 0.5 - y;
    const startU = Math.round(((cos * (0.5 - x) + sin * down) / scaleX + width / 2 - 0.5) * one);
    const startV = Math.round(((-sin * (0.5 - x) + cos * down) / scaleY + sprite.height / 2 - 0.5) * one);
    const [fromU, toU] = columnsInside(startU, stepU, limitU);
    const [fromV, toV] = columnsInside(startV, stepV, limitV);
    const from = Math.max(0, fromU, fromV);
    const to = Math.min(frame.width - 1, toU, toV);
    // The positions are kept as 32-bit integers, because calculating with other numbers takes twice as long.
    let u = (startU + from * stepU) | 0;
    let v = (startV + from * stepV) | 0;
    for (
      let at = row * frame.width + from;
      at <= row * frame.width + to;
      at += 1, u = (u + stepU) | 0, v = (v + stepV) | 0
    ) {
      const corner = imul(v >> 16, width) + (u >> 16);
      const seen = isSoft ? (pixels[corner] ?? 0) : interpolated(pixels, corner, width, (u >> 8) & 255, (v >> 8) & 255);
      if (seen === 0) continue;
      const shown = strength === 256 ? seen : faded(seen, strength);
      const alpha = shown >>> 24;
      frame.pixels[at] = alpha === 255 ? shown : shown + faded(frame.pixels[at] ?? 0, 256 - alpha);
    }
  }
};
