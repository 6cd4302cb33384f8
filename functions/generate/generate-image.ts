import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { type Generation, generationLambda } from '../../shared/runtime/generation-lambda.ts';

/** Generates images from a prompt, priced per image. */
export const generateImage: Generation<'generateImage'> = {
  cost: ({ body, prices }) => body.numImages * prices.image.creditsPerImage,
};

export const definition = generationLambda(imageContracts.generateImage, generateImage);
