import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Makes up a person, who is kept beyond the task. */
export const generateInfluencer: Operation<'generateInfluencer', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'influencer',
    cost: ({ influencer }) => influencer.credits,
    makesInfluencer: true,
  });

export const handler = httpLambda(imageContracts.generateInfluencer, generateInfluencer, {
  outbound,
  workflow: stepFunctions,
});
