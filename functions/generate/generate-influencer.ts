import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Generates an influencer, which is kept after its task. */
export const generateInfluencer: Generation<'generateInfluencer'> = {
  cost: ({ prices }) => prices.influencer.credits,
};

export const definition = generationLambda(imageContracts.generateInfluencer, generateInfluencer, withFiles);
