/** A frame of a video in memory, and painting layers on it. */

import type { Sharp } from 'sharp';
import { type Image, imageOf } from '../image/image.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** One 32-bit word for each pixel, row by row: red in the lowest byte, then green and blue; the highest is unused. */
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

/** An image with transparency and where its upper left corner is placed. */
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

const evenBytes = 0x00ff00ff;

/** Mixes two pixels; `share` is the weight of the second, from 0 to 256. */
export const mixPixels = (one: number, other: number, share: number): number => {
  const rest = 256 - share;
  const redAndBlue = ((Math.imul(one & evenBytes, rest) + Math.imul(other & evenBytes, share)) >>> 8) & evenBytes;
  const green = (Math.imul((one >>> 8) & 0xff, rest) + Math.imul((other >>> 8) & 0xff, share)) & 0xff00;
  return redAndBlue | green;
};

/** Only the part inside the frame is painted; `opacity` is from 0 to 1. */
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

/** A plain rectangle; `color` is 0xBBGGRR. */
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
