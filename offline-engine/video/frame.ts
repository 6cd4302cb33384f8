/** A video frame in memory, and functions that paint layers on it. */

import type { Sharp } from 'sharp';
import { type Image, imageOf } from '../image/image.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** One 32-bit word per pixel, row by row: red in the lowest byte, then green and blue; the highest byte is unused. */
export interface Frame extends FrameSize {
  readonly pixels: Uint32Array;
}

export const blankFrame = ({ width, height }: FrameSize): Frame => ({
  width,
  height,
  pixels: new Uint32Array(width * height),
});

/** The bytes of a frame in ffmpeg's format `rgb0`. */
export const bytesOf = ({ pixels }: Frame): Uint8Array =>
  new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);

/** An image with transparency, and the position of its upper left corner. */
export interface Layer {
  readonly image: Image;
  readonly left: number;
  readonly top: number;
}

export const layerOf = async (pipeline: Sharp, left: number, top: number): Promise<Layer> => ({
  image: await imageOf(pipeline, true),
  left: Math.round(left),
  top: Math.round(top),
});

const { imul } = Math;

/** Mixes two pixels; `share` is the weight of the second, from 0 to 256. Two channels are computed at once. */
export const mixPixels = (one: number, other: number, share: number): number => {
  const rest = 256 - share;
  const redAndBlue = imul(one & 0xff00ff, rest) + imul(other & 0xff00ff, share);
  const green = imul(one & 0xff00, rest) + imul(other & 0xff00, share);
  return ((redAndBlue >>> 8) & 0xff00ff) | ((green >>> 8) & 0xff00);
};

/**
 * The color between four neighbors `a b` above `c d`; `right` and `below` are the weights of the far ones, from 0 to
 * 255. Kept short, because functions are inlined into loops over pixels only up to a certain size.
 */
export const blendPixels = (a: number, b: number, c: number, d: number, right: number, below: number): number => {
  const ofD = imul(right, below) >> 8;
  const ofB = right - ofD;
  const ofC = below - ofD;
  const ofA = 256 - right - ofC;
  const redAndBlue =
    imul(a & 0xff00ff, ofA) + imul(b & 0xff00ff, ofB) + imul(c & 0xff00ff, ofC) + imul(d & 0xff00ff, ofD);
  const green = imul(a & 0xff00, ofA) + imul(b & 0xff00, ofB) + imul(c & 0xff00, ofC) + imul(d & 0xff00, ofD);
  return ((redAndBlue >>> 8) & 0xff00ff) | ((green >>> 8) & 0xff00);
};

/** Paints the part of a layer inside the frame; `opacity` is from 0 to 1. */
export const paintLayer = (frame: Frame, { image, left, top }: Layer, opacity = 1): void => {
  const words = new Uint32Array(image.pixels.buffer, image.pixels.byteOffset, image.width * image.height);
  const strength = Math.round(opacity * 258);
  const [firstColumn, lastColumn] = [Math.max(0, -left), Math.min(image.width, frame.width - left)];
  const lastRow = Math.min(image.height, frame.height - top);
  for (let row = Math.max(0, -top); row < lastRow; row += 1) {
    let from = row * image.width + firstColumn;
    let to = (top + row) * frame.width + left + firstColumn;
    for (let column = firstColumn; column < lastColumn; column += 1, from += 1, to += 1) {
      const pixel = words[from] ?? 0;
      const share = Math.min(256, ((pixel >>> 24) * strength) >> 8);
      if (share > 0) frame.pixels[to] = mixPixels(frame.pixels[to] ?? 0, pixel, share);
    }
  }
};

/** Paints a plain rectangle; `color` is 0xBBGGRR. */
export const paintBox = (
  frame: Frame,
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  color: number,
  opacity = 1,
): void => {
  const share = Math.round(opacity * 256);
  const [left, right] = [Math.max(0, Math.round(box.left)), Math.min(frame.width, Math.round(box.left + box.width))];
  const bottom = Math.min(frame.height, Math.round(box.top + box.height));
  for (let row = Math.max(0, Math.round(box.top)); row < bottom; row += 1) {
    for (let at = row * frame.width + left; at < row * frame.width + right; at += 1) {
      frame.pixels[at] = mixPixels(frame.pixels[at] ?? 0, color, share);
    }
  }
};
