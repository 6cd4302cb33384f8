/** The voices and their characteristics. */
import { createHash } from 'node:crypto';

export type Gender = 'female' | 'male' | 'neutral';

/** The timbre of a voice. */
export interface Timbre {
  /** The mean pitch. */
  readonly pitchHz: number;
  /** The formant frequencies as a percentage of the usual ones: high for a small throat, low for a large one. */
  readonly formants: number;
  /** The strength of frequencies above 2 kHz, as a percentage of the usual one. */
  readonly brightness: number;
  readonly wordsPerMinute: number;
  /** From 0 (clear) to 7 (hoarse). */
  readonly roughness: number;
  /** From 0 (none) to 10 (strong). */
  readonly breath: number;
}

export interface Persona extends Timbre {
  readonly name: string;
  readonly gender: Gender;
  readonly english: 'en-us' | 'en-gb';
}

/** The neutral voice, which personas modify. */
export const plainTimbre: Readonly<Record<Gender, Timbre>> = {
  female: { pitchHz: 196, formants: 115, brightness: 100, wordsPerMinute: 165, roughness: 1, breath: 1 },
  male: { pitchHz: 108, formants: 99, brightness: 100, wordsPerMinute: 165, roughness: 1, breath: 1 },
  neutral: { pitchHz: 150, formants: 107, brightness: 100, wordsPerMinute: 165, roughness: 1, breath: 1 },
};

type Row = readonly [Gender, 'us' | 'gb', number, number, number, number, number, number];

/** Columns: gender, English, then Timbre in its order. */
const table = {
  aria: ['female', 'us', 208, 118, 125, 172, 0, 2],
  roger: ['male', 'us', 96, 94, 88, 158, 2, 0],
  sarah: ['female', 'us', 183, 111, 82, 156, 0, 3],
  laura: ['female', 'us', 222, 121, 138, 184, 1, 0],
  charlie: ['male', 'gb', 124, 102, 132, 176, 1, 2],
  george: ['male', 'gb', 92, 92, 78, 146, 3, 1],
  callum: ['male', 'gb', 112, 95, 135, 160, 5, 2],
  river: ['neutral', 'us', 146, 105, 84, 159, 0, 5],
  liam: ['male', 'us', 130, 105, 120, 182, 0, 0],
  charlotte: ['female', 'gb', 176, 108, 74, 150, 2, 6],
  alice: ['female', 'gb', 212, 113, 140, 168, 0, 0],
  matilda: ['female', 'us', 188, 119, 108, 152, 1, 4],
  will: ['male', 'us', 119, 106, 86, 170, 0, 3],
  jessica: ['female', 'us', 234, 122, 118, 178, 0, 2],
  eric: ['male', 'us', 102, 102, 72, 164, 0, 5],
  chris: ['male', 'us', 115, 98, 126, 188, 2, 0],
  brian: ['male', 'us', 84, 90, 92, 152, 1, 0],
  daniel: ['male', 'gb', 99, 97, 128, 168, 0, 0],
  lily: ['female', 'gb', 226, 125, 90, 160, 1, 5],
  bill: ['male', 'us', 88, 96, 68, 136, 6, 3],
} as const satisfies Readonly<Record<string, Row>>;

export type VoiceName = keyof typeof table;

/** The voices by name. */
export const voiceNames = Object.keys(table) as readonly VoiceName[];

export const namedPersona = (voice: VoiceName): Persona => {
  const [gender, english, pitchHz, formants, brightness, wordsPerMinute, roughness, breath] = table[voice];
  const name = voice.charAt(0).toUpperCase() + voice.slice(1);
  return { name, gender, english: `en-${english}`, pitchHz, formants, brightness, wordsPerMinute, roughness, breath };
};

/** The persona of an id that is not a voice's name: always the same for the same id. */
export const hashedPersona = (voiceId: string): Persona => {
  const hash = createHash('sha256').update(voiceId).digest();
  const share = (index: number) => (hash[index] ?? 0) / 255;
  const gender = (['female', 'male', 'neutral'] as const)[Math.floor(share(0) * 2.1)] ?? 'neutral';
  const plain = plainTimbre[gender];
  return {
    name: `Custom ${hash.toString('hex', 0, 4)}`,
    gender,
    english: share(1) < 0.5 ? 'en-us' : 'en-gb',
    pitchHz: Math.round(plain.pitchHz * (0.82 + 0.36 * share(2))),
    formants: Math.round(plain.formants * (0.93 + 0.14 * share(3))),
    brightness: Math.round(70 + 70 * share(4)),
    wordsPerMinute: Math.round(145 + 40 * share(5)),
    roughness: Math.round(4 * share(6)),
    breath: Math.round(6 * share(7)),
  };
};
