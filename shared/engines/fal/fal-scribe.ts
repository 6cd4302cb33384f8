/** The job that transcribes a recording at fal.ai with ElevenLabs' Scribe (fal.ai/models, 2026-11). */
import type { EngineJob } from '../engine.ts';

/** Scribe's jobs are polled, because a result of several megabytes is too long for a callback. */
export const scribeModel = 'fal-ai/elevenlabs/speech-to-text/scribe-v2';

export const scribeAtFal = (url: string): Pick<EngineJob, 'model' | 'input'> => ({
  model: scribeModel,
  input: { audio_url: url, diarize: false, tag_audio_events: false },
});
