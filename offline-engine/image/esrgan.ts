/** Upscales ×2 with a neural network (the slim ESRGAN of UpscalerJS), tile by tile. */
import type { Tensor4D } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { Image } from './image.ts';
import { modelFrom, tensorflow } from './tensorflow.ts';

const scale = 2;
const longestTileSide = 256;
/** The margin of a tile: an output pixel depends on input pixels at most 11 away, so this avoids visible seams. */
const margin = 12;

interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The starts of equal parts, which together may be slightly longer than the whole. */
const parts = (length: number) => {
  const count = Math.ceil(length / longestTileSide);
  const side = Math.ceil(length / count);
  return { side, starts: Array.from({ length: count }, (_, part) => part * side) };
};

/** All tiles have the same size, so that the network is prepared only once; the last ones extend beyond the image. */
const tilesOf = (image: Image): readonly Tile[] => {
  const { side: width, starts: columns } = parts(image.width);
  const { side: height, starts: rows } = parts(image.height);
  const size = { width, height };
  return rows.flatMap((top) => columns.map((left) => ({ ...size, left, top })));
};

/** The tile with its margin; beyond the image, border pixels are repeated. */
const inputOf = ({ width, height, pixels }: Image, tile: Tile): Float32Array => {
  const [columns, rows] = [tile.width + 2 * margin, tile.height + 2 * margin];
  const input = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row += 1) {
    const y = Math.min(height - 1, Math.max(0, tile.top + row - margin));
    for (let column = 0; column < columns; column += 1) {
      const x = Math.min(width - 1, Math.max(0, tile.left + column - margin));
      for (let channel = 0; channel < 3; channel += 1) {
        input[(row * columns + column) * 3 + channel] = (pixels[(y * width + x) * 4 + channel] ?? 0) / 255;
      }
    }
  }
  return input;
};

const enlargeTile = async (network: LayersModel, image: Image, tile: Tile): Promise<Uint8Array> => {
  const { tf } = await tensorflow();
  const { width, height } = tile;
  const shape = [1, height + 2 * margin, width + 2 * margin, 3] as const;
  const output = tf.tidy(() => {
    const enlarged = network.predict(tf.tensor4d(inputOf(image, tile), [...shape])) as Tensor4D;
    const inner = tf.slice(enlarged, [0, scale * margin, scale * margin, 0], [1, scale * height, scale * width, 3]);
    return tf.round(tf.clipByValue(tf.mul(inner, 255), 0, 255));
  });
  const values = Uint8Array.from(await output.data());
  output.dispose();
  return values;
};

const put = (target: Image, tile: Tile, values: Uint8Array) => {
  const [left, top] = [scale * tile.left, scale * tile.top];
  const columns = Math.min(scale * tile.width, target.width - left);
  const rows = Math.min(scale * tile.height, target.height - top);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const from = (row * scale * tile.width + column) * 3;
      const to = ((top + row) * target.width + left + column) * 4;
      for (let channel = 0; channel < 3; channel += 1) target.pixels[to + channel] = values[from + channel] ?? 0;
      target.pixels[to + 3] = 255;
    }
  }
};

/** Doubles an image and discards its alpha channel. `progress` receives the completed share, from 0 to 1. */
export const enlargeTwice = async (image: Image, progress: (share: number) => void): Promise<Image> => {
  const { loadLayersModel } = await tensorflow();
  const network = await loadLayersModel(await modelFrom('esrgan/model.json'));
  const [width, height] = [scale * image.width, scale * image.height];
  const target = { width, height, pixels: new Uint8Array(width * height * 4), hasAlpha: false };
  const tiles = tilesOf(image);
  for (const [index, tile] of tiles.entries()) {
    put(target, tile, await enlargeTile(network, image, tile));
    progress((index + 1) / tiles.length);
  }
  network.dispose();
  return target;
};
