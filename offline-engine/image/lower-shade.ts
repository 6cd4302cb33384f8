/** A dark gradient at the lower edge of an image, behind text. */
import type { OverlayOptions } from 'sharp';
import type { FrameSize } from './frame-size.ts';

/** A gradient from the lower edge that keeps text readable. */
export const lowerShade = ({ width, height }: FrameSize, shadeHeight: number): OverlayOptions => ({
  input: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${shadeHeight}"><defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#05060a" stop-opacity="0"/><stop offset="0.55" stop-color="#05060a" stop-opacity="0.5"/><stop offset="1" stop-color="#05060a" stop-opacity="0.82"/></linearGradient></defs><rect width="${width}" height="${shadeHeight}" fill="url(#shade)"/></svg>`,
  ),
  left: 0,
  top: height - shadeHeight,
});
