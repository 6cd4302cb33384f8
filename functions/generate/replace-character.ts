import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Puts another person into a scene. */
export const replaceCharacter: Operation<'replaceCharacter', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'character-replace',
    cost: ({ characterReplace }) => characterReplace.credits,
  });

export const handler = httpLambda(imageContracts.replaceCharacter, replaceCharacter, {
  outbound,
  workflow: stepFunctions,
});
