/** Lets the offline engine speak and convert for the fake; unknown voices sound like its first one. */

import { defaultVoiceIds, voiceSlugs } from '../../shared/catalog/voices.ts';
import { type OfflineEngineAccess, type OfflineJob, offlineWorker } from '../offline-worker.ts';
import type { MakeSound } from './elevenlabs-fake.ts';
import type { SoundRequest } from './elevenlabs-request.ts';

const slugOf = (voiceId: string): string =>
  voiceSlugs.find((slug) => defaultVoiceIds[slug] === voiceId) ?? voiceSlugs[0];

/** The longest text that the offline engine speaks. */
const longestText = 2000;

const jobFor = (request: SoundRequest, voiceId: string, recordingUrl: string): OfflineJob => {
  const { stability = 0.5, similarity_boost: similarityBoost = 0.75 } = request.settings;
  const fields = { voice: slugOf(voiceId), stability, similarityBoost };
  return request.kind === 'speech'
    ? { operation: 'voice', input: { ...fields, text: request.text.slice(0, longestText) } }
    : {
        operation: 'voice-change',
        input: { ...fields, audioUrl: recordingUrl, removeNoise: request.removesNoise },
      };
};

export const offlineVoices = (access: OfflineEngineAccess): MakeSound => {
  const worker = offlineWorker(access);
  return async (request, { voiceId, recordingUrl, signal }) => {
    const outcome = await worker.perform(jobFor(request, voiceId, recordingUrl), signal);
    const [output] = outcome.status === 'done' ? outcome.outputs : [];
    if (!output) throw new Error('the offline engine generated no sound');
    return worker.read(output);
  };
};
