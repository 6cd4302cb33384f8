import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Changes a picture as words say. */
export const editImage: Operation<'editImage', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'image-edit',
    cost: ({ imageEdit }) => imageEdit.credits,
  });

export const definition = generationLambda(imageContracts.editImage, editImage);
