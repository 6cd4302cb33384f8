import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Puts another person into a scene. */
export const replaceCharacter: Operation<'replaceCharacter', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'character-replace',
    cost: ({ characterReplace }) => characterReplace.credits,
  });

export const definition = generationLambda(imageContracts.replaceCharacter, replaceCharacter);
