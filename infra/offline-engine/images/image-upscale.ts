/** `image-upscale`: a picture at two or four times its width and height. */
import { outputPixelsLimit } from '../../../shared/contracts/generate-images.ts';
import { type MadeFile, WorkFailure } from '../ability.ts';
import { enlargeTwice } from './esrgan.ts';
import { fetchPicture } from './fetch-picture.ts';
import type { ImageContext } from './image-order.ts';
import type { ImageRequest } from './image-requests.ts';
import { type Picture, pictureOf, pipelineOf, resizePicture, savePicture } from './picture.ts';

/** Doubling so much by the neural network takes a minute or two; more would not be done within the time limit. */
const mostNeuralPixels = 3_000_000;

const isNeural = ({ width, height }: Picture): boolean => width * height <= mostNeuralPixels;

const doubled = (picture: Picture, progress: (share: number) => void): Promise<Picture> =>
  isNeural(picture)
    ? enlargeTwice(picture, progress)
    : resizePicture(picture, 2 * picture.width, 2 * picture.height, 'cubic');

/** The network answers a little softly; what brings the result nearest to known originals was measured. */
const sharpened = (picture: Picture, neuralDoublings: number): Promise<Picture> => {
  const options = neuralDoublings === 2 ? { sigma: 1.5, m1: 1, m2: 2 } : { sigma: 1, m1: 0.5, m2: 1 };
  return pictureOf(pipelineOf(picture).sharpen(options), picture.hasAlpha);
};

/** Four times is twice two times: the network's own variant for four leaves a grid. */
const enlarged = async (opaque: Picture, scale: number, progress: (share: number) => void): Promise<Picture> => {
  if (scale === 2) return sharpened(await doubled(opaque, progress), 1);
  const half = await doubled(opaque, (share) => progress(0.2 * share));
  const whole = await doubled(half, (share) => progress(0.2 + 0.8 * share));
  return sharpened(whole, isNeural(half) ? 2 : 1);
};

const withAlphaOf = async (picture: Picture, original: Picture): Promise<Picture> => {
  const alpha = await pipelineOf(original)
    .extractChannel(3)
    .resize(picture.width, picture.height, { fit: 'fill', kernel: 'lanczos3' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  for (let index = 0; index < alpha.length; index += 1) picture.pixels[index * 4 + 3] = alpha[index] ?? 0;
  return { ...picture, hasAlpha: true };
};

const opaqueOf = (picture: Picture): Picture => {
  if (!picture.hasAlpha) return picture;
  const pixels = Uint8Array.from(picture.pixels);
  for (let place = 3; place < pixels.length; place += 4) pixels[place] = 255;
  return { ...picture, pixels, hasAlpha: false };
};

/** No JPEG has more pixels on a side. */
const jpegSideLimit = 65_535;

/** A photograph that came as a JPEG goes as one, if it can: as a PNG it would be several times as large. */
export const formatOf = (came: string, { width, height, hasAlpha }: Omit<Picture, 'pixels'>): 'jpeg' | 'png' =>
  came === 'jpeg' && !hasAlpha && Math.max(width, height) <= jpegSideLimit ? 'jpeg' : 'png';

export const upscaleImage = async (
  { imageUrl, scale }: ImageRequest<'image-upscale'>,
  context: ImageContext,
): Promise<readonly MadeFile[]> => {
  const { picture, format } = await fetchPicture(imageUrl, 'imageUrl');
  const size = { width: picture.width * scale, height: picture.height * scale };
  if (size.width * size.height > outputPixelsLimit) {
    const complaint = `imageUrl at ${scale} times its size has over ${outputPixelsLimit} pixels.`;
    throw new WorkFailure('INPUT_INVALID', complaint);
  }
  context.progress(5);
  const opaque = await enlarged(opaqueOf(picture), scale, (share) => context.progress(5 + 80 * share));
  const result = picture.hasAlpha ? await withAlphaOf(opaque, picture) : opaque;
  context.progress(90);
  const remark = `Enlarged by the offline engine: ${isNeural(picture) ? 'ESRGAN' : 'bicubic'}.`;
  return [await savePicture(result, context, { format: formatOf(format, result), remark })];
};
