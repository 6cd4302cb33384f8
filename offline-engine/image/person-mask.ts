/** Finds people in an image, using MediaPipe's selfie segmentation. */
import type { GraphModel } from '@tensorflow/tfjs-converter';
import type { Tensor } from '@tensorflow/tfjs-core';
import { refineMask } from './guided-filter.ts';
import { type Image, resizeImage, shrinkImage } from './image.ts';
import { brightnessOf, meanOf, type Plane, resizePlane } from './plane.ts';
import { modelFrom, tensorflow } from './tensorflow.ts';

const inputSide = 256;
const workingSide = 1024;

export interface PersonMask {
  /** The share of the image that people cover, from 0 to 1. */
  readonly share: number;
  /**
   * The share of the image that people cover with high confidence; round objects may be mistaken for heads, but only
   * with low confidence.
   */
  readonly sureness: number;
  /** A small mask with the confidence for each pixel that it is a person, from 0 to 1. */
  readonly coarse: Plane;
  /** Refines the mask to the image's size and edges: 255 is a person, 0 is not. */
  refine(): Promise<Uint8Array>;
}

const inputOf = ({ pixels }: Image) => {
  const input = new Float32Array(inputSide * inputSide * 3);
  for (let index = 0; index < inputSide * inputSide; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      input[index * 3 + channel] = (pixels[index * 4 + channel] ?? 0) / 255;
    }
  }
  return input;
};

const maskOf = async (network: GraphModel, image: Image): Promise<PersonMask> => {
  const { tf } = await tensorflow();
  const small = await resizeImage(image, inputSide, inputSide);
  const output = tf.tidy(() => network.execute(tf.tensor4d(inputOf(small), [1, inputSide, inputSide, 3])) as Tensor);
  const values = Float32Array.from(await output.data());
  tf.dispose([output]);
  const coarse = { width: inputSide, height: inputSide, values };
  const shareOver = (limit: number) => meanOf({ ...coarse, values: values.map((value) => (value > limit ? 1 : 0)) });
  const share = shareOver(0.5);
  return {
    share,
    sureness: share > 0 ? shareOver(0.95) / share : 0,
    coarse,
    async refine() {
      const working = await shrinkImage(image, workingSide);
      const guide = brightnessOf(working);
      const mask = resizePlane(coarse, working.width, working.height);
      const radius = Math.max(2, Math.round(Math.max(working.width, working.height) / 100));
      return refineMask(image, guide, mask, { radius, epsilon: 1e-3 });
    },
  };
};

/** Finds the people in many images; must be closed. */
export interface PersonFinder {
  find(image: Image): Promise<PersonMask>;
  close(): void;
}

export const openPersonFinder = async (): Promise<PersonFinder> => {
  const { loadGraphModel } = await tensorflow();
  const network = await loadGraphModel(await modelFrom('selfie/selfie.json'));
  return { find: (image) => maskOf(network, image), close: () => network.dispose() };
};

export const personMask = async (image: Image): Promise<PersonMask> => {
  const finder = await openPersonFinder();
  try {
    return await finder.find(image);
  } finally {
    finder.close();
  }
};
