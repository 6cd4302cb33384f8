import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { upscaleCost } from '../../shared/domain/generation/pricing.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Makes a picture larger; four times costs more than twice. */
export const upscaleImage: Operation<'upscaleImage', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'image-upscale',
    cost: ({ imageUpscale }) => upscaleCost(request.body.scale, imageUpscale),
  });

export const definition = generationLambda(imageContracts.upscaleImage, upscaleImage);
