/** The voices and their timbres. */
import { createHash } from 'node:crypto';
import { type Gender, genders, type VoiceSlug, voiceName, voiceSlugs, voices } from '../../shared/catalog/voices.ts';

/** The timbre of a voice. */
export interface Timbre {
  /** The mean pitch. */
  readonly pitchHz: number;
  /** The formant frequencies as a percentage of typical ones: high for a small vocal tract, low for a large one. */
  readonly formants: number;
  /** The strength of frequencies above 2 kHz, as a percentage of the typical one. */
  readonly brightness: number;
  readonly wordsPerMinute: number;
  /** The hoarseness, from 0 (clear) to 7 (hoarse). */
  readonly roughness: number;
  /** The strength of the breath, from 0 (none) to 10 (strong). */
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

type Row = readonly [number, number, number, number, number, number];

/**
 * The table of timbres, with columns in the order of Timbre. A voice without a row gets a timbre derived from its name.
 */
const table: Partial<Readonly<Record<VoiceSlug, Row>>> = {
  aria: [208, 118, 125, 172, 0, 2],
  roger: [96, 94, 88, 158, 2, 0],
  sarah: [183, 111, 82, 156, 0, 3],
  laura: [222, 121, 138, 184, 1, 0],
  charlie: [124, 102, 132, 176, 1, 2],
  george: [92, 92, 78, 146, 3, 1],
  callum: [112, 95, 135, 160, 5, 2],
  river: [146, 105, 84, 159, 0, 5],
  liam: [130, 105, 120, 182, 0, 0],
  charlotte: [176, 108, 74, 150, 2, 6],
  alice: [212, 113, 140, 168, 0, 0],
  matilda: [188, 119, 108, 152, 1, 4],
  will: [119, 106, 86, 170, 0, 3],
  jessica: [234, 122, 118, 178, 0, 2],
  eric: [102, 102, 72, 164, 0, 5],
  chris: [115, 98, 126, 188, 2, 0],
  brian: [84, 90, 92, 152, 1, 0],
  daniel: [99, 97, 128, 168, 0, 0],
  lily: [226, 125, 90, 160, 1, 5],
  bill: [88, 96, 68, 136, 6, 3],
};

/** A timbre derived from a hash. */
function hashedTimbre(hash: Buffer, gender: Gender): Timbre {
  const share = (index: number) => (hash[index] ?? 0) / 255;
  const plain = plainTimbre[gender];
  return {
    pitchHz: Math.round(plain.pitchHz * (0.82 + 0.36 * share(2))),
    formants: Math.round(plain.formants * (0.93 + 0.14 * share(3))),
    brightness: Math.round(70 + 70 * share(4)),
    wordsPerMinute: Math.round(145 + 40 * share(5)),
    roughness: Math.round(4 * share(6)),
    breath: Math.round(6 * share(7)),
  };
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function timbreOf(voice: VoiceSlug): Timbre {
  const row = table[voice];
  if (!row) return hashedTimbre(hashOf(voice), voices[voice].gender);
  const [pitchHz, formants, brightness, wordsPerMinute, roughness, breath] = row;
  return { pitchHz, formants, brightness, wordsPerMinute, roughness, breath };
}

export const namedPersona = (voice: VoiceSlug): Persona => {
  const { gender, language } = voices[voice];
  return { name: voiceName(voice), gender, english: language === 'en-GB' ? 'en-gb' : 'en-us', ...timbreOf(voice) };
};

/** The persona of an id: that of the voice with this name, or one derived from the id. */
export const personaOfId = (voiceId: string): Persona => {
  const named = voiceSlugs.find((slug) => slug === voiceId);
  if (named) return namedPersona(named);
  const hash = hashOf(voiceId);
  const gender = genders[Math.floor(((hash[0] ?? 0) / 255) * 2.1)] ?? 'neutral';
  return {
    name: `Custom ${hash.toString('hex', 0, 4)}`,
    gender,
    english: (hash[1] ?? 0) / 255 < 0.5 ? 'en-us' : 'en-gb',
    ...hashedTimbre(hash, gender),
  };
};
