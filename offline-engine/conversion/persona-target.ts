/** What a persona makes of a recorded voice. */
import { type Persona, plainTimbre } from '../speech/persona.ts';
import type { VoiceTarget } from './move-voice.ts';

export interface Conversion {
  readonly persona: Persona;
  /** From 0 (a melody livelier than the recording's) to 1 (nearly monotone). */
  readonly stability: number;
  /** From 0 (halfway) to 1 (the persona's own): how far pitch and formants are moved. */
  readonly similarityBoost: number;
}

/** Even at 0, the voice is clearly another. */
const leastDeparture = 0.5;

const { female, male } = plainTimbre;

/** The formants of a speaker are not measured: those of a usual voice of that pitch, as a percentage like a persona's. */
const usualFormants = (pitchHz: number): number => {
  const share = Math.log(pitchHz / male.pitchHz) / Math.log(female.pitchHz / male.pitchHz);
  return male.formants + (female.formants - male.formants) * Math.min(1.3, Math.max(-0.3, share));
};

/** For a voice of a median pitch; a recording without a voice stays as it is. */
export const personaTarget =
  ({ persona, stability, similarityBoost }: Conversion) =>
  (medianHz: number | undefined): VoiceTarget => {
    if (medianHz === undefined) return { pitchHz: 1, melody: 1, formants: 1 };
    const departure = leastDeparture + (1 - leastDeparture) * similarityBoost;
    return {
      pitchHz: medianHz * (persona.pitchHz / medianHz) ** departure,
      melody: 1.25 - stability,
      formants: (persona.formants / usualFormants(medianHz)) ** departure,
    };
  };
