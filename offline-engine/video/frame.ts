/** A video frame in memory. */
import type { FrameSize } from '../image/frame-size.ts';

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
