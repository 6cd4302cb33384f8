/** Fills a hole in an image smoothly with surrounding colors. */
import { type Image, resizeImage } from './image.ts';
import { type Plane, sampler } from './plane.ts';

/** The weighted colors and weights of blocks of 4 pixels, 16 pixels, and so on. */
interface Level {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and weight of each pixel. */
  readonly values: Float32Array;
}

const half = ({ width, height, values }: Level): Level => {
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const sums = new Float32Array(columns * rows * 4);
  for (let index = 0; index < width * height; index += 1) {
    const to = (Math.floor(Math.floor(index / width) / 2) * columns + Math.floor((index % width) / 2)) * 4;
    for (let place = 0; place < 4; place += 1)
      sums[to + place] = (sums[to + place] ?? 0) + (values[index * 4 + place] ?? 0);
  }
  return { width: columns, height: rows, values: sums };
};

/** Uses the color of the coarser level where a level has little weight. */
const filled = (level: Level, coarser: Level): Level => {
  const { width, height, values } = level;
  const channels = [0, 1, 2].map((channel) =>
    sampler(
      {
        ...coarser,
        values: Float32Array.from(
          { length: coarser.width * coarser.height },
          (_, index) => coarser.values[index * 4 + channel] ?? 0,
        ),
      },
      level,
    ),
  );
  const result = new Float32Array(values.length);
  for (let index = 0; index < width * height; index += 1) {
    const weight = values[index * 4 + 3] ?? 0;
    const known = Math.min(1, weight);
    const [x, y] = [index % width, Math.floor(index / width)];
    for (const [channel, read] of channels.entries()) {
      const own = weight > 0 ? (values[index * 4 + channel] ?? 0) / weight : 0;
      result[index * 4 + channel] = own * known + read(x, y) * (1 - known);
    }
    result[index * 4 + 3] = 1;
  }
  return { width, height, values: result };
};

/** The pull-push algorithm: reduces to a single pixel, then expands again. */
const flow = (level: Level): Level => {
  if (level.width === 1 && level.height === 1) {
    const weight = Math.max(1e-6, level.values[3] ?? 0);
    return { ...level, values: level.values.map((value) => value / weight) };
  }
  return filled(level, flow(half(level)));
};

/** Fills a small image; `hole` has its size, and colors are discarded wherever it is not 0. */
const paintSmall = (image: Image, { values: hole }: Plane): Image => {
  const values = new Float32Array(image.pixels.length);
  for (let index = 0; index < hole.length; index += 1) {
    const weight = (hole[index] ?? 0) > 0.05 ? 0 : 1;
    for (let channel = 0; channel < 3; channel += 1) {
      values[index * 4 + channel] = (image.pixels[index * 4 + channel] ?? 0) * weight;
    }
    values[index * 4 + 3] = weight;
  }
  const { values: flowed } = flow({ width: image.width, height: image.height, values });
  return { ...image, pixels: Uint8Array.from(flowed, (value, place) => (place % 4 === 3 ? 255 : Math.round(value))) };
};

/**
 * Fills a hole. `hole` is small, in the image's proportions, from 0 (keep) to 1 (fill), and should be slightly larger
 * than the object to remove.
 */
export const paintOut = async (image: Image, hole: Plane): Promise<Image> => {
  const { width, height } = image;
  const small = paintSmall(await resizeImage(image, hole.width, hole.height), hole);
  const painted = await resizeImage(small, width, height, 'cubic');
  const shareAt = sampler(hole, image);
  const pixels = Uint8Array.from(image.pixels);
  for (let index = 0; index < width * height; index += 1) {
    const share = shareAt(index % width, Math.floor(index / width));
    if (share === 0) continue;
    for (let place = index * 4; place < index * 4 + 3; place += 1) {
      const [from, to] = [pixels[place] ?? 0, painted.pixels[place] ?? 0];
      pixels[place] = Math.round(from + (to - from) * share);
    }
    pixels[index * 4 + 3] = Math.max(pixels[index * 4 + 3] ?? 0, Math.round(255 * share));
  }
  return { ...image, pixels };
};
