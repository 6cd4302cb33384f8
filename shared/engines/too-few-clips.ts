import { minClipsOf } from '../contracts/generate-cortes.ts';
import type { EngineOutcome } from './engine.ts';

/** The outcome of a job whose engine found too few clips in the video, and charges for having searched it. */
export const tooFewClips = (count: number): EngineOutcome => ({
  status: 'failed',
  code: 'INPUT_INVALID',
  detail: `videoUrl has too few passages for ${minClipsOf(count)} clips`,
  charge: 'full',
});
