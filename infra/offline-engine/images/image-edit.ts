/**
 * `image-edit`: the adjustments that the prompt names, or else a colour grade; the label and small copies of the
 * reference images stand at the lower edge of what is edited. With a mask (white is edited, black is not, a mask of
 * another size is stretched) they stay inside it like everything else, and what is outside keeps its very bytes.
 */
import { type MadeFile, WorkFailure } from '../ability.ts';
import { adjustmentsFor } from './adjustments.ts';
import { footer, insideOf, wholeOf } from './edit-footer.ts';
import { fetchPicture } from './fetch-picture.ts';
import { prepareFonts } from './fonts.ts';
import type { ImageContext } from './image-order.ts';
import type { ImageRequest } from './image-requests.ts';
import { layOver, type Picture, resizePicture, savePicture } from './picture.ts';
import { luma } from './plane.ts';

/** How much each pixel is edited, from 0 to 255. */
const maskFor = async ({ width, height }: Picture, url: string): Promise<Uint8Array> => {
  const { picture } = await fetchPicture(url, 'maskUrl');
  const { pixels } = await resizePicture(picture, width, height);
  const mask = new Uint8Array(width * height);
  for (let index = 0; index < mask.length; index += 1) {
    const at = index * 4;
    const brightness = luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    mask[index] = Math.round((brightness * (pixels[at + 3] ?? 0)) / 255);
  }
  return mask;
};

const blend = (original: Picture, edited: Picture, mask: Uint8Array): Picture => {
  const pixels = Uint8Array.from(original.pixels);
  for (let index = 0; index < mask.length; index += 1) {
    const value = mask[index] ?? 0;
    if (value === 0) continue;
    for (let place = index * 4; place < index * 4 + 4; place += 1) {
      const [from, to] = [original.pixels[place] ?? 0, edited.pixels[place] ?? 0];
      pixels[place] = Math.round(from + ((to - from) * value) / 255);
    }
  }
  return { ...original, pixels };
};

export const editImage = async (
  { imageUrl, prompt, referenceImages, maskUrl }: ImageRequest<'image-edit'>,
  context: ImageContext,
): Promise<readonly MadeFile[]> => {
  await prepareFonts(context.filesDir);
  const { picture } = await fetchPicture(imageUrl, 'imageUrl');
  const mask = maskUrl === undefined ? undefined : await maskFor(picture, maskUrl);
  if (mask && !mask.some((value) => value >= 128)) {
    throw new WorkFailure('INPUT_INVALID', 'maskUrl has no white part, so there is nothing to edit.');
  }
  const references: Picture[] = [];
  for (const [index, url] of referenceImages.entries()) {
    references.push((await fetchPicture(url, `referenceImages[${index}]`)).picture);
  }
  context.progress(25);
  const adjustments = adjustmentsFor(prompt);
  let edited = picture;
  for (const { apply } of adjustments) edited = await apply(edited);
  context.progress(70);
  edited = await layOver(edited, await footer(mask ? insideOf(picture, mask) : wholeOf(picture), references));
  const result = mask ? blend(picture, edited, mask) : edited;
  context.progress(85);
  const remark = `Edited by the offline engine: ${adjustments.map(({ name }) => name).join(', ')}.`;
  return [await savePicture(result, context, { remark })];
};
