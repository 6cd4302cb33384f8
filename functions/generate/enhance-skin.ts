import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { aspectRatioAt } from '../../shared/domain/generation/aspect-ratio-at.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Gives skin a natural texture; the picture is looked at first. */
export const enhanceSkin: Operation<'enhanceSkin', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'skin-enhance',
    cost: ({ skinEnhance }) => skinEnhance.credits,
    derive: async () => ({ aspectRatio: await aspectRatioAt(request.body.imageUrl, context.outbound) }),
  });

export const definition = generationLambda(imageContracts.enhanceSkin, enhanceSkin);
