import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Changes a picture as words say. */
export const editImage: Operation<'editImage', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'image-edit',
    cost: ({ imageEdit }) => imageEdit.credits,
  });

export const handler = httpLambda(imageContracts.editImage, editImage, {
  outbound,
  workflow: stepFunctions,
});
