/** Finds faces with their eyes and mouths, using MediaPipe's BlazeFace. */
import type { GraphModel } from '@tensorflow/tfjs-converter';
import type { Tensor } from '@tensorflow/tfjs-core';
import { type Image, imageOf, pipelineOf } from './image.ts';
import { modelFrom, tensorflow } from './tensorflow.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A face, in pixels of the image. */
export interface Face {
  readonly score: number;
  readonly center: Point;
  readonly width: number;
  readonly height: number;
  readonly eyes: readonly [Point, Point];
  readonly mouth: Point;
}

const side = 256;
const minScore = 0.5;

/** The anchors of the network's outputs, in the order of the outputs: fine ones, then coarse ones. */
const anchors = [
  { stride: 16, count: 2, scores: 'Identity', boxes: 'Identity_2' },
  { stride: 32, count: 6, scores: 'Identity_1', boxes: 'Identity_3' },
] as const;

const valuesPerFace = 16;

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

/** The network's input, and the mapping of its pixels to the image's. */
const prepared = async (image: Image) => {
  const factor = side / Math.max(image.width, image.height);
  const fitted = pipelineOf(image).resize(side, side, { fit: 'contain', position: 'left top', background: '#000' });
  const { pixels } = await imageOf(fitted, false);
  const input = new Float32Array(side * side * 3);
  for (let index = 0; index < side * side; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      input[index * 3 + channel] = (pixels[index * 4 + channel] ?? 0) / 127.5 - 0.5;
    }
  }
  return { input, factor };
};

const faceAt = (boxes: Float32Array, index: number, anchor: Point, score: number, factor: number): Face => {
  const value = (place: number) => boxes[index * valuesPerFace + place] ?? 0;
  const point = (place: number) => ({
    x: (anchor.x + value(place)) / factor,
    y: (anchor.y + value(place + 1)) / factor,
  });
  return {
    score,
    center: point(0),
    width: value(2) / factor,
    height: value(3) / factor,
    eyes: [point(4), point(6)],
    mouth: point(10),
  };
};

/** Keeps only the most confident of several detections of the same face. */
const distinct = (faces: readonly Face[]): readonly Face[] => {
  const kept: Face[] = [];
  for (const face of faces.toSorted((one, other) => other.score - one.score)) {
    const isNear = ({ center, width }: Face) =>
      Math.hypot(center.x - face.center.x, center.y - face.center.y) < Math.max(width, face.width) / 2;
    if (!kept.some(isNear)) kept.push(face);
  }
  return kept;
};

const facesIn = async (network: GraphModel, image: Image): Promise<readonly Face[]> => {
  const { tf } = await tensorflow();
  const { input, factor } = await prepared(image);
  const found: Face[] = [];
  const names = anchors.flatMap(({ scores, boxes }) => [scores, boxes]);
  const outputs = tf.tidy(() => network.execute(tf.tensor4d(input, [1, side, side, 3]), names) as Tensor[]);
  const values = await Promise.all(outputs.map(async (tensor) => Float32Array.from(await tensor.data())));
  tf.dispose(outputs);
  for (const [place, { stride, count }] of anchors.entries()) {
    const [scoreValues, boxValues] = [values[2 * place], values[2 * place + 1]];
    if (!scoreValues || !boxValues) continue;
    for (const [index, value] of scoreValues.entries()) {
      const score = sigmoid(value);
      if (score < minScore) continue;
      const cell = Math.floor(index / count);
      const cells = side / stride;
      const anchor = { x: ((cell % cells) + 0.5) * stride, y: (Math.floor(cell / cells) + 0.5) * stride };
      found.push(faceAt(boxValues, index, anchor, score, factor));
    }
  }
  return distinct(found);
};

/** Finds the faces in many images; must be closed. */
export interface FaceFinder {
  find(image: Image): Promise<readonly Face[]>;
  close(): void;
}

export const openFaceFinder = async (): Promise<FaceFinder> => {
  const { loadGraphModel } = await tensorflow();
  const network = await loadGraphModel(await modelFrom('blazeface/blazeface.json'));
  return { find: (image) => facesIn(network, image), close: () => network.dispose() };
};

export const findFaces = async (image: Image): Promise<readonly Face[]> => {
  const finder = await openFaceFinder();
  try {
    return await finder.find(image);
  } finally {
    finder.close();
  }
};
