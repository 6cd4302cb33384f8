import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Edits an image from a text prompt. */
export const editImage: Generation<'editImage'> = {
  cost: ({ prices }) => prices.imageEdit.credits,
};

export const definition = generationLambda(imageContracts.editImage, editImage, withFiles);
