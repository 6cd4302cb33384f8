import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { upscaleCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda } from '../../shared/runtime/generation-lambda.ts';

/** Upscales an image; four times costs more than twice. */
export const upscaleImage: Generation<'upscaleImage'> = {
  cost: ({ body, prices }) => upscaleCost(body.scale, prices.imageUpscale),
};

export const definition = generationLambda(imageContracts.upscaleImage, upscaleImage);
