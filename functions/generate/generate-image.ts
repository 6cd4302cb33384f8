import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { imageCost } from '../../shared/domain/generation/pricing.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Makes pictures from words; each picture has its price. */
export const generateImage: Operation<'generateImage', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'image',
    cost: ({ image }) => imageCost(request.body.numImages, image),
  });

export const handler = httpLambda(imageContracts.generateImage, generateImage, {
  outbound,
  workflow: stepFunctions,
});
