import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Cuts out what a picture is of. */
export const removeBackground: Operation<'removeBackground', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'background-remove',
    cost: ({ backgroundRemove }) => backgroundRemove.credits,
  });

export const definition = generationLambda(imageContracts.removeBackground, removeBackground);
