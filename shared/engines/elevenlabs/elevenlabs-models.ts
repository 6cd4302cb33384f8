/** Requests to ElevenLabs, following its API reference (elevenlabs.io/docs, 2026-11). */
import type { VoiceIds } from '../../contracts/generate-audio.ts';
import type { ModelInput, ModelTable, ModelTerms } from '../model.ts';
import type { elevenLabsRoutes } from './elevenlabs-routes.ts';

interface VoiceChoice {
  readonly voice?: keyof VoiceIds | undefined;
  readonly voiceId?: string | undefined;
  readonly stability: number;
  readonly similarityBoost: number;
}

/** The client's own voice id, or that of the named voice. */
const voiceOf = ({ voice, voiceId, stability, similarityBoost }: VoiceChoice, { voiceIds }: ModelTerms): ModelInput => {
  if (!voiceIds) throw new Error('the ids of the voices are missing');
  return {
    voiceId: voiceId ?? (voice && voiceIds[voice]),
    isOwnVoice: voiceId === undefined,
    voice_settings: { stability, similarity_boost: similarityBoost },
  };
};

export const elevenLabsModels: ModelTable<typeof elevenLabsRoutes> = {
  'elevenlabs/multilingual-v2': {
    model: 'eleven_multilingual_v2',
    inputs: { voice: (request, terms) => ({ ...voiceOf(request, terms), text: request.text }) },
  },
  'elevenlabs/multilingual-sts-v2': {
    model: 'eleven_multilingual_sts_v2',
    inputs: {
      'voice-change': (request, terms) => ({
        ...voiceOf(request, terms),
        audioUrl: request.audioUrl,
        remove_background_noise: request.removeNoise,
      }),
    },
  },
};
