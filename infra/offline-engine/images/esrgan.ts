/** Enlargement to twice the size by a neural network (the slim ESRGAN of UpscalerJS), tile by tile. */
import * as tf from '@tensorflow/tfjs';
import type { Picture } from './picture.ts';
import { modelFrom, startTensorflow } from './tensorflow.ts';

const scale = 2;
const longestTileSide = 256;
/** An output pixel depends on input pixels at most 11 away: with this margin no seam between tiles can be seen. */
const margin = 12;

/** The package exports its code alone; the network lies beside it. */
const modelAddress = () => {
  const [root] = import.meta.resolve('@upscalerjs/esrgan-slim').split('/dist/');
  return new URL(`${root}/models/x${scale}/model.json`);
};

interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Starts of equal parts, which may together be a little longer than the whole. */
const parts = (length: number) => {
  const count = Math.ceil(length / longestTileSide);
  const side = Math.ceil(length / count);
  return { side, starts: Array.from({ length: count }, (_, part) => part * side) };
};

/** All of one size, so that the network prepares for one; the last ones reach beyond the picture. */
const tilesOf = (picture: Picture): readonly Tile[] => {
  const { side: width, starts: columns } = parts(picture.width);
  const { side: height, starts: rows } = parts(picture.height);
  const size = { width, height };
  return rows.flatMap((top) => columns.map((left) => ({ ...size, left, top })));
};

/** The tile and its margin; beyond the picture its outermost pixels go on. */
const inputOf = ({ width, height, pixels }: Picture, tile: Tile): tf.Tensor4D => {
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
  return tf.tensor4d(input, [1, rows, columns, 3]);
};

const enlargeTile = async (network: tf.LayersModel, picture: Picture, tile: Tile): Promise<Uint8Array> => {
  const output = tf.tidy(() => {
    const enlarged = network.predict(inputOf(picture, tile)) as tf.Tensor4D;
    const { width, height } = tile;
    const inner = tf.slice(enlarged, [0, scale * margin, scale * margin, 0], [1, scale * height, scale * width, 3]);
    return inner.mul(255).clipByValue(0, 255).round();
  });
  const values = Uint8Array.from(await output.data());
  output.dispose();
  return values;
};

const put = (target: Picture, tile: Tile, values: Uint8Array) => {
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

/** Colours alone: the result is opaque. `progress` gets the share that is done, from 0 to 1. */
export const enlargeTwice = async (picture: Picture, progress: (share: number) => void): Promise<Picture> => {
  await startTensorflow();
  const network = await tf.loadLayersModel(await modelFrom(modelAddress()));
  const [width, height] = [scale * picture.width, scale * picture.height];
  const target = { width, height, pixels: new Uint8Array(width * height * 4), hasAlpha: false };
  const tiles = tilesOf(picture);
  for (const [index, tile] of tiles.entries()) {
    put(target, tile, await enlargeTile(network, picture, tile));
    progress((index + 1) / tiles.length);
  }
  network.dispose();
  return target;
};
