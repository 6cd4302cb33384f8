/** `background-remove`: the subject on a transparent or plain background. */
import * as z from 'zod';
import { fetchImage } from '../image/fetch-image.ts';
import { type Image, imageOf, pipelineOf, saveImage } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import { operation } from '../operation.ts';
import { WorkFailure } from '../work-failure.ts';

const onColor = (image: Image, color: string): Promise<Image> =>
  imageOf(pipelineOf(image).flatten({ background: color }), false);

const remarks = {
  person: 'Background removed by the offline engine: a person was found.',
  object: 'Background removed by the offline engine: no person was found, the borders were treated as background.',
};

const Input = z.object({
  imageUrl: ImageUrl,
  format: z.enum(['png', 'webp']).default('png'),
  background: z
    .string()
    .regex(/^(transparent|#[0-9a-fA-F]{6})$/, { error: 'must be "transparent" or "#rrggbb"' })
    .default('transparent'),
});

export const backgroundRemove = operation(Input, async ({ imageUrl, format, background }, context) => {
  const { image } = await fetchImage(imageUrl, 'imageUrl');
  context.progress(15);
  const mask = await subjectMask(image);
  if (!mask.values.some((value) => value >= 128)) {
    throw new WorkFailure('INPUT_INVALID', 'imageUrl shows no subject that stands out from its background.', {
      field: 'imageUrl',
      reason: 'no-subject',
    });
  }
  context.progress(60);
  const alone = cutOut(image, mask);
  const result = background === 'transparent' ? alone : await onColor(alone, background);
  context.progress(80);
  return [await saveImage(result, context, { format, remark: remarks[mask.subject] })];
});
