/**
 * `image-edit`: the adjustments that the prompt names, or else a color grade; the label and thumbnails of the reference
 * images are at the lower edge of the edited area. With a mask (white is edited, black is not; a mask of another size
 * is stretched), everything stays inside the mask, and pixels outside are unchanged.
 */
import * as z from 'zod';
import { adjustmentsFor } from '../image/adjustments.ts';
import { boxOf } from '../image/box.ts';
import { footer } from '../image/edit-footer.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { composedWith, type Image, resizeImage, saveImage } from '../image/image.ts';
import { ImageUrl, ReferenceImages } from '../image/image-url.ts';
import { luma } from '../image/plane.ts';
import { operation } from '../operation.ts';
import { WorkFailure } from '../work-failure.ts';

/** How much each pixel is edited, from 0 to 255. */
const maskFor = async ({ width, height }: Image, url: string): Promise<Uint8Array> => {
  const { image } = await fetchImage(url, 'maskUrl');
  const { pixels } = await resizeImage(image, width, height);
  const mask = new Uint8Array(width * height);
  for (let index = 0; index < mask.length; index += 1) {
    const at = index * 4;
    const brightness = luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    mask[index] = Math.round((brightness * (pixels[at + 3] ?? 0)) / 255);
  }
  return mask;
};

const blend = (original: Image, edited: Image, mask: Uint8Array): Image => {
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

const Input = z.object({
  imageUrl: ImageUrl,
  prompt: z.string().min(1).max(4000),
  referenceImages: ReferenceImages,
  maskUrl: ImageUrl.exactOptional(),
});

export const imageEdit = operation(Input, async ({ imageUrl, prompt, referenceImages, maskUrl }, context) => {
  await prepareFonts(context.filesDir);
  const { image } = await fetchImage(imageUrl, 'imageUrl');
  const mask = maskUrl === undefined ? undefined : await maskFor(image, maskUrl);
  if (mask && !mask.some((value) => value >= 128)) {
    throw new WorkFailure('INPUT_INVALID', 'maskUrl has no white part, so there is nothing to edit.', {
      field: 'maskUrl',
      reason: 'empty-mask',
    });
  }
  const references: Image[] = [];
  for (const [index, url] of referenceImages.entries()) {
    references.push((await fetchImage(url, `referenceImages[${index}]`)).image);
  }
  context.progress(25);
  const { adjustments, isUnderstood } = adjustmentsFor(prompt);
  const names = adjustments.map(({ name }) => name).join(', ');
  const done = isUnderstood ? names : `prompt not understood, ${names} instead`;
  let edited = image;
  for (const { apply } of adjustments) edited = await apply(edited);
  context.progress(70);
  edited = await composedWith(
    edited,
    await footer((mask && boxOf(mask, image.width)) ?? { left: 0, top: 0, ...image }, done, references),
  );
  const result = mask ? blend(image, edited, mask) : edited;
  context.progress(85);
  const remark = `Edited by the offline engine: ${done}.`;
  return [await saveImage(result, context, { remark })];
});
