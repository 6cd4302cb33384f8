import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Cuts out what a picture is of. */
export const removeBackground: Operation<'removeBackground', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'background-remove',
    cost: ({ backgroundRemove }) => backgroundRemove.credits,
  });

export const handler = httpLambda(imageContracts.removeBackground, removeBackground, {
  outbound,
  workflow: stepFunctions,
});
