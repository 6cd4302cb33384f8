import { voiceChangeContracts } from '../../shared/contracts/generate-voice-change.ts';
import { durationAt } from '../../shared/domain/generation/duration-at.ts';
import { voiceChangeCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Changes the voice of a recording, priced by duration. */
export const changeVoice: Generation<'changeVoice', { readonly durationSec: number }> = {
  inspect: async (_body, inspection) => ({ durationSec: await durationAt('audioUrl', inspection) }),
  cost: ({ inspected, prices }) => voiceChangeCost(inspected.durationSec, prices.voiceChange),
};

export const definition = generationLambda(voiceChangeContracts.changeVoice, changeVoice, withFiles);
