/** Converts a persona to an eSpeak NG variant file, with audible stability and similarity. */
import { type Persona, plainTimbre, type Timbre } from './persona.ts';

export interface Expression {
  /** The range of the pitch, from 0 (expressive) to 1 (monotone). */
  readonly stability: number;
  /** The strength of the timbre, from 0 (neutral voice) to 1 (the persona's own). */
  readonly similarityBoost: number;
  /** Whether to use breath instead of a voice. */
  readonly isWhispered?: boolean;
}

/** The least strength of a persona, so that no two voices are the same even at 0. */
const minDeparture = 0.2;

const blend = (persona: Persona, similarityBoost: number): Timbre => {
  const plain = plainTimbre[persona.gender];
  const departure = minDeparture + (1 - minDeparture) * similarityBoost;
  const between = (field: keyof Timbre) => plain[field] + (persona[field] - plain[field]) * departure;
  return {
    pitchHz: between('pitchHz'),
    formants: between('formants'),
    brightness: between('brightness'),
    wordsPerMinute: between('wordsPerMinute'),
    roughness: between('roughness'),
    breath: between('breath'),
  };
};

/** Measured on eSpeak NG 1.52: the mean pitch is 0.78 of the range above the lower limit, minus 9 Hz. */
const pitchLine = (pitchHz: number, stability: number) => {
  const rangeHz = pitchHz * (0.9 - 0.88 * stability);
  const lowest = pitchHz + 9 - 0.78 * rangeHz;
  return `pitch ${Math.round(lowest)} ${Math.round(lowest + rangeHz)}`;
};

const formantLine = (index: number, { formants, brightness }: Timbre, isWhispered: boolean) => {
  if (index === 0 && isWhispered) return 'formant 0 100 0 100';
  // Formant 0 is the fundamental, and formant 3 is at about 2.5 kHz.
  const strength = index < 3 ? 100 : brightness;
  return `formant ${index} ${Math.round(index === 0 ? 100 : formants)} ${Math.round(strength)} 100`;
};

/** The strength of the breath at each formant, and the formants' widths. */
const whisperLines = ['breath 75 75 60 40 15 10', 'breathw 150 150 200 200 400 400'];

const breathLine = (breath: number) => `breath 0 ${Array.from({ length: 7 }, () => Math.round(breath)).join(' ')}`;

/** The text of the variant file, and the speed. */
export const personaVariant = (persona: Persona, expression: Expression) => {
  const { stability, similarityBoost, isWhispered = false } = expression;
  const timbre = blend(persona, similarityBoost);
  const lines = [
    'language variant',
    'name persona',
    `gender ${persona.gender === 'female' ? 'female' : 'male'}`,
    pitchLine(timbre.pitchHz, stability),
    `flutter ${Math.round(4 * (1 - stability))}`,
    `roughness ${Math.round(timbre.roughness)}`,
    ...Array.from({ length: 9 }, (_, index) => formantLine(index, timbre, isWhispered)),
    ...(isWhispered ? whisperLines : [breathLine(timbre.breath)]),
  ];
  return { variant: `${lines.join('\n')}\n`, wordsPerMinute: Math.round(timbre.wordsPerMinute) };
};
