import { generateContracts } from '../../shared/contracts/generate.ts';
import { voiceCost } from '../../shared/domain/generation/pricing.ts';
import { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Speaks a text; the cost follows its length. */
export const generateVoice: Operation<'generateVoice', 'outbound' | 'workflow'> = (request, context) =>
  requestGeneration(request, context, {
    taskType: 'voice',
    cost: ({ voice }) => voiceCost(request.body.text, voice),
  });

export const definition = generationLambda(generateContracts.generateVoice, generateVoice);
