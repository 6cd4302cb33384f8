import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { imageCost } from '../../shared/domain/generation/pricing.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Makes pictures from words; each picture has its price. */
export const generateImage: Operation<'generateImage', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'image',
    cost: ({ image }) => imageCost(request.body.numImages, image),
  });

export const definition = generationLambda(imageContracts.generateImage, generateImage);
