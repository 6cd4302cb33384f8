/** A still image viewed through a moving camera. */
import sharp, { type Sharp } from 'sharp';
import { type Image, imageOf, pipelineOf } from '../image/image.ts';
import { blendPixels, type Frame, type FrameSize, mixPixels } from './frame.ts';

/** An opaque image, cropped to a frame's aspect ratio. */
export interface Still extends FrameSize {
  readonly pixels: Uint32Array;
}

/** The camera's view: at 1 and without offsets, the whole still. */
export interface View {
  readonly zoom: number;
  /** The offset of the center, relative to the width and height of the still. */
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
}

/** Larger than the frame, so that it stays sharp when the camera is close. */
const oversize = 1.2;

/** Crops before enlarging, because enlarging a very wide or high image would take minutes. */
const cropped = (image: Image, { width, height }: FrameSize): Promise<Image> => {
  const factor = Math.max(1, width / image.width, height / image.height);
  const side = (length: number) => Math.max(1, Math.round(length / factor));
  const crop = { width: side(width), height: side(height), fit: 'cover', position: sharp.strategy.attention } as const;
  return imageOf(pipelineOf(image).flatten({ background: '#ffffff' }).resize(crop), false);
};

/** A still that covers the frame and contains what stands out in the image. `look` changes colors and sharpness. */
export const stillOf = async (
  image: Image,
  { width, height }: FrameSize,
  look: (pipeline: Sharp) => Sharp = (pipeline) => pipeline,
): Promise<Still> => {
  const size = { width: Math.round(width * oversize), height: Math.round(height * oversize) };
  const enlarged = pipelineOf(await cropped(image, size)).resize({ ...size, fit: 'fill' });
  const { pixels } = await imageOf(look(enlarged), false);
  return { ...size, pixels: new Uint32Array(pixels.buffer, pixels.byteOffset, size.width * size.height) };
};

/** The nearest view that stays half a pixel inside the still's edges, so that every pixel has neighbors. */
const heldInside = (view: View, { width, height }: FrameSize): View => {
  const angle = Math.abs((view.degrees * Math.PI) / 180);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const zoom = Math.max(view.zoom, cos + (sin * Math.max(width, height)) / Math.min(width, height));
  const room = (along: number, across: number) =>
    Math.max(0, 0.5 - (along * cos + across * sin) / (2 * zoom * along) - 0.5 / along);
  const clamped = (offset: number, limit: number) => Math.min(limit, Math.max(-limit, offset));
  return { ...view, zoom, x: clamped(view.x, room(width, height)), y: clamped(view.y, room(height, width)) };
};

const one = 2 ** 16;

interface Steps {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
}

/** The position of the frame's first pixel in the still, and the steps to its neighbors, in 1/65536 pixel. */
const stepsOf = (frame: FrameSize, still: FrameSize, given: View): Steps => {
  const view = heldInside(given, frame);
  const angle = (view.degrees * Math.PI) / 180;
  const scale = still.width / frame.width / view.zoom;
  const [across, down] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const [x, y] = [(frame.width - 1) / 2, (frame.height - 1) / 2];
  return {
    left: Math.round(((0.5 + view.x) * still.width - 0.5 - x * across + y * down) * one) | 0,
    top: Math.round(((0.5 + view.y) * still.height - 0.5 - x * down - y * across) * one) | 0,
    across: Math.round(across * one) | 0,
    down: Math.round(down * one) | 0,
  };
};

/** Paints the camera's view with interpolation; `share` below 256 mixes it with the frame. */
export const paintStill = (frame: Frame, still: Still, view: View, share = 256): void => {
  const { left, top, across, down } = stepsOf(frame, still, view);
  const { pixels, width } = still;
  for (let row = 0, to = 0; row < frame.height; row += 1) {
    // Kept as 32-bit integers, because calculating with other numbers takes twice as long.
    let x = (left - row * down) | 0;
    let y = (top + row * across) | 0;
    for (const end = to + frame.width; to < end; to += 1) {
      const corner = Math.imul(y >> 16, width) + (x >> 16);
      const a = pixels[corner] ?? 0;
      const b = pixels[corner + 1] ?? 0;
      const c = pixels[corner + width] ?? 0;
      const d = pixels[corner + width + 1] ?? 0;
      const seen = blendPixels(a, b, c, d, (x >> 8) & 255, (y >> 8) & 255);
      frame.pixels[to] = share === 256 ? seen : mixPixels(frame.pixels[to] ?? 0, seen, share);
      x = (x + across) | 0;
      y = (y + down) | 0;
    }
  }
};
