import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { upscaleCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Upscales an image; ×4 costs more than ×2. */
export const upscaleImage: Generation<'upscaleImage'> = {
  cost: ({ body, prices }) => upscaleCost(body.scale, prices.imageUpscale),
};

export const definition = generationLambda(imageContracts.upscaleImage, upscaleImage, withFiles);
