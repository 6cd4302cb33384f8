import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Replaces the person in a scene. */
export const replaceCharacter: Generation<'replaceCharacter'> = {
  cost: ({ prices }) => prices.characterReplace.credits,
};

export const definition = generationLambda(imageContracts.replaceCharacter, replaceCharacter, withFiles);
