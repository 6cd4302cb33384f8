import { imageContracts } from '../../shared/contracts/generate-images.ts';
import type { AspectRatio } from '../../shared/contracts/image-files.ts';
import { aspectRatioAt } from '../../shared/domain/generation/aspect-ratio-at.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Gives skin a natural texture; the result keeps the aspect ratio of the image. */
export const enhanceSkin: Generation<'enhanceSkin', { readonly aspectRatio: AspectRatio }> = {
  inspect: async ({ imageUrl }, { outbound }) => ({ aspectRatio: await aspectRatioAt(imageUrl, outbound, 'imageUrl') }),
  cost: ({ prices }) => prices.skinEnhance.credits,
};

export const definition = generationLambda(imageContracts.enhanceSkin, enhanceSkin, withFiles);
