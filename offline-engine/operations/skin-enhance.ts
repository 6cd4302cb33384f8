/** `skin-enhance`: texture, pores and even light, only on skin. */
import * as z from 'zod';
import { fetchImage } from '../image/fetch-image.ts';
import { saveImage } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { enhanceSkin } from '../image/skin.ts';
import { operation } from '../operation.ts';

const Level = z.number().int().min(0).max(100);
const Input = z.object({
  imageUrl: ImageUrl,
  textureLevel: Level.default(50),
  poresDetail: Level.default(50),
  lightingFix: z.boolean().default(true),
});

export const skinEnhance = operation(Input, async ({ imageUrl, ...levels }, context) => {
  const { image } = await fetchImage(imageUrl, 'imageUrl');
  context.progress(15);
  const enhanced = await enhanceSkin(image, levels);
  context.progress(85);
  return [await saveImage(enhanced, context, { remark: 'Skin enhanced by the offline engine.' })];
});
