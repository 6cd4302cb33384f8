/** `image-upscale`: an image at two or four times its width and height. */
import * as z from 'zod';
import { outputPixelsLimit } from '../../shared/contracts/image-files.ts';
import { enlargeTwice } from '../image/esrgan.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { type Image, imageOf, pipelineOf, resizeImage, saveImage } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation } from '../operation.ts';
import { WorkFailure } from '../work-failure.ts';

/** Doubling this many pixels with the neural network takes a minute or two; more would exceed the time limit. */
const maxNeuralPixels = 3_000_000;

const isNeural = ({ width, height }: Image): boolean => width * height <= maxNeuralPixels;

const doubled = (image: Image, progress: (share: number) => void): Promise<Image> =>
  isNeural(image) ? enlargeTwice(image, progress) : resizeImage(image, 2 * image.width, 2 * image.height, 'cubic');

/** The network's output is slightly soft; these values gave results closest to known originals. */
const sharpened = (image: Image, neuralDoublings: number): Promise<Image> => {
  const options = neuralDoublings === 2 ? { sigma: 1.5, m1: 1, m2: 2 } : { sigma: 1, m1: 0.5, m2: 1 };
  return imageOf(pipelineOf(image).sharpen(options), image.hasAlpha);
};

/** ×4 is ×2 applied twice, because the network's own ×4 variant leaves a visible grid. */
const enlarged = async (opaque: Image, scale: number, progress: (share: number) => void): Promise<Image> => {
  if (scale === 2) return sharpened(await doubled(opaque, progress), 1);
  const half = await doubled(opaque, (share) => progress(0.2 * share));
  const whole = await doubled(half, (share) => progress(0.2 + 0.8 * share));
  return sharpened(whole, isNeural(half) ? 2 : 1);
};

const withAlphaOf = async (image: Image, original: Image): Promise<Image> => {
  const alpha = await pipelineOf(original)
    .extractChannel(3)
    .resize(image.width, image.height, { fit: 'fill', kernel: 'lanczos3' })
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  for (let index = 0; index < alpha.length; index += 1) image.pixels[index * 4 + 3] = alpha[index] ?? 0;
  return { ...image, hasAlpha: true };
};

const opaqueOf = (image: Image): Image => {
  if (!image.hasAlpha) return image;
  const pixels = Uint8Array.from(image.pixels);
  for (let place = 3; place < pixels.length; place += 4) pixels[place] = 255;
  return { ...image, pixels, hasAlpha: false };
};

/** The longest side of a JPEG. */
const jpegSideLimit = 65_535;

/**
 * The format of the result: a JPEG stays a JPEG if possible, because a photograph as PNG would be several times as
 * large.
 */
export const formatOf = (came: string, { width, height, hasAlpha }: Omit<Image, 'pixels'>): 'jpeg' | 'png' =>
  came === 'jpeg' && !hasAlpha && Math.max(width, height) <= jpegSideLimit ? 'jpeg' : 'png';

const Input = z.object({ imageUrl: ImageUrl, scale: z.literal([2, 4]).default(2) });

export const imageUpscale = operation(Input, async ({ imageUrl, scale }, context) => {
  const { image, format } = await fetchImage(imageUrl, 'imageUrl');
  const size = { width: image.width * scale, height: image.height * scale };
  if (size.width * size.height > outputPixelsLimit) {
    const complaint = `imageUrl at ${scale} times its size has over ${outputPixelsLimit} pixels.`;
    throw new WorkFailure('INPUT_INVALID', complaint);
  }
  context.progress(5);
  const opaque = await enlarged(opaqueOf(image), scale, (share) => context.progress(5 + 80 * share));
  const result = image.hasAlpha ? await withAlphaOf(opaque, image) : opaque;
  context.progress(90);
  const remark = `Upscaled by the offline engine: ${isNeural(image) ? 'ESRGAN' : 'bicubic'}.`;
  return [await saveImage(result, context, { format: formatOf(format, result), remark })];
});
