import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Removes the background of an image. */
export const removeBackground: Generation<'removeBackground'> = {
  cost: ({ prices }) => prices.backgroundRemove.credits,
};

export const definition = generationLambda(imageContracts.removeBackground, removeBackground, withFiles);
