import { audioContracts } from '../../shared/contracts/generate-audio.ts';
import { voiceCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda } from '../../shared/runtime/generation-lambda.ts';

/** Converts text to speech, priced by the length of the text. */
export const generateVoice: Generation<'generateVoice'> = {
  cost: ({ body, prices }) => voiceCost(body.text, prices.voice),
};

export const definition = generationLambda(audioContracts.generateVoice, generateVoice);
