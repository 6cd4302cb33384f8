/** The pitch and formants that a recorded voice gets with a persona. */
import { type Persona, plainTimbre } from '../speech/persona.ts';
import type { VoiceTarget } from './move-voice.ts';

export interface Conversion {
  readonly persona: Persona;
  /** How even the melody is, from 0 (livelier than in the recording) to 1 (nearly monotone). */
  readonly stability: number;
  /** How far pitch and formants are shifted, from 0 (halfway) to 1 (the persona's own). */
  readonly similarityBoost: number;
}

/** The least shift, so that the converted voice sounds clearly different even if the similarity is 0. */
const minDeparture = 0.5;

const { female, male } = plainTimbre;

/** Typical formants for a voice of that pitch, as a percentage like a persona's; a speaker's own are not measured. */
const usualFormants = (pitchHz: number): number => {
  const share = Math.log(pitchHz / male.pitchHz) / Math.log(female.pitchHz / male.pitchHz);
  return male.formants + (female.formants - male.formants) * Math.min(1.3, Math.max(-0.3, share));
};

/** The target for a voice with a median pitch; a recording without a voice keeps its pitch. */
export const personaTarget =
  ({ persona, stability, similarityBoost }: Conversion) =>
  (medianHz: number | undefined): VoiceTarget => {
    if (medianHz === undefined) return { pitchHz: 1, melody: 1, formants: 1 };
    const departure = minDeparture + (1 - minDeparture) * similarityBoost;
    return {
      pitchHz: medianHz * (persona.pitchHz / medianHz) ** departure,
      melody: 1.25 - stability,
      formants: (persona.formants / usualFormants(medianHz)) ** departure,
    };
  };
