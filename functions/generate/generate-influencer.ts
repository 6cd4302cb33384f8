import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Makes up a person, who is kept beyond the task. */
export const generateInfluencer: Operation<'generateInfluencer', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'influencer',
    cost: ({ influencer }) => influencer.credits,
    makesInfluencer: true,
  });

export const definition = generationLambda(imageContracts.generateInfluencer, generateInfluencer);
