/** Planes with one number per pixel: masks, brightness and derived values. */
import type { Image } from './image.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

export const planeLike = (
  { width, height }: Pick<Plane, 'width' | 'height'>,
  valueAt: (index: number) => number,
): Plane => {
  const values = new Float32Array(width * height);
  for (let index = 0; index < values.length; index += 1) values[index] = valueAt(index);
  return { width, height, values };
};

/** Brightness with the weights of BT.601, from 0 to 255. */
export const luma = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/** Brightness from 0 to 1. */
export const brightnessOf = (image: Image): Plane => {
  const { pixels } = image;
  return planeLike(image, (index) => {
    const at = index * 4;
    return luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) / 255;
  });
};

export const meanOf = ({ values }: Plane): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Averages along the lines of a plane with a running sum, using only existing pixels at the borders. */
const blurLines = (
  from: Float32Array,
  lines: number,
  length: number,
  step: number,
  lineStep: number,
  radius: number,
) => {
  const to = new Float32Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStep;
    let sum = 0;
    let count = 0;
    for (let index = -radius; index < length; index += 1) {
      const entering = index + radius;
      if (entering < length) {
        sum += from[start + entering * step] ?? 0;
        count += 1;
      }
      const leaving = index - radius - 1;
      if (leaving >= 0) {
        sum -= from[start + leaving * step] ?? 0;
        count -= 1;
      }
      if (index >= 0) to[start + index * step] = sum / count;
    }
  }
  return to;
};

/** The mean over a square of 2 × radius + 1 pixels around each pixel. */
export const boxBlur = ({ width, height, values }: Plane, radius: number): Plane => {
  const reach = Math.max(0, Math.round(radius));
  const across = blurLines(values, height, width, 1, width, reach);
  return { width, height, values: blurLines(across, width, height, width, 1, reach) };
};

/** Samples a plane as if it had another size, in which `x` and `y` are given, with interpolation. */
export const sampler = (
  { width, height, values }: Plane,
  size: { readonly width: number; readonly height: number },
) => {
  const [scaleX, scaleY] = [width / size.width, height / size.height];
  return (x: number, y: number): number => {
    const u = Math.min(width - 1, Math.max(0, (x + 0.5) * scaleX - 0.5));
    const v = Math.min(height - 1, Math.max(0, (y + 0.5) * scaleY - 0.5));
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
    const [shareX, shareY] = [u - left, v - top];
    const above = (values[top * width + left] ?? 0) * (1 - shareX) + (values[top * width + right] ?? 0) * shareX;
    const below = (values[bottom * width + left] ?? 0) * (1 - shareX) + (values[bottom * width + right] ?? 0) * shareX;
    return above * (1 - shareY) + below * shareY;
  };
};

export const resizePlane = (plane: Plane, width: number, height: number): Plane => {
  const read = sampler(plane, { width, height });
  return planeLike({ width, height }, (index) => read(index % width, Math.floor(index / width)));
};

export const smoothstep = (min: number, max: number, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - min) / (max - min)));
  return share * share * (3 - 2 * share);
};
