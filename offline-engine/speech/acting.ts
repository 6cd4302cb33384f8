/** The voice of a person who acts a role: selected by gender and type, changed by emotion and accent. */
import type { VoiceSlug } from '../../shared/catalog/voices.ts';
import { namedPersona, type Persona, type Timbre } from './persona.ts';
import type { Expression } from './persona-variant.ts';

/** The request's values for a role; with `auto`, the engine chooses. */
export interface Part {
  readonly gender: 'auto' | 'feminino' | 'masculino';
  readonly voiceType: 'auto' | keyof typeof voiceTypes;
  readonly emotion: 'auto' | keyof typeof emotions;
  readonly accent: 'auto' | keyof typeof accents;
}

interface Change {
  /** A factor by which the persona's value is multiplied. */
  readonly pitch?: number;
  readonly rate?: number;
  readonly formants?: number;
  /** A difference that is added to the persona's value. */
  readonly brightness?: number;
  readonly roughness?: number;
  readonly breath?: number;
  /** The stability of the voice, from 0 (lively) to 1 (monotone). */
  readonly stability?: number;
  readonly isWhispered?: true;
}

const voices: Readonly<Record<Part['gender'], VoiceSlug>> = { feminino: 'sarah', masculino: 'eric', auto: 'river' };

const voiceTypes = {
  sussurro: { isWhispered: true, rate: 0.9 },
  rouca: { roughness: 5, breath: 3, pitch: 0.94 },
  aspera: { roughness: 7, brightness: 45 },
  suave: { roughness: -2, brightness: -20, breath: 4, rate: 0.94 },
  grave: { pitch: 0.76, formants: 0.94 },
  aguda: { pitch: 1.28, formants: 1.05 },
  anasalada: { formants: 1.07, brightness: 60, roughness: 1 },
} as const satisfies Readonly<Record<string, Change>>;

const emotions = {
  feliz: { pitch: 1.12, rate: 1.08, stability: 0.15 },
  triste: { pitch: 0.9, rate: 0.8, stability: 0.85, brightness: -20 },
  raiva: { pitch: 1.06, rate: 1.14, stability: 0.25, roughness: 4, brightness: 40 },
  medo: { pitch: 1.2, rate: 1.16, stability: 0.45, breath: 4 },
  surpreso: { pitch: 1.28, rate: 1.02, stability: 0 },
  nojo: { pitch: 0.93, rate: 0.88, stability: 0.4, roughness: 3 },
  empolgado: { pitch: 1.2, rate: 1.2, stability: 0.05, brightness: 20 },
  calmo: { pitch: 0.97, rate: 0.85, stability: 0.65, breath: 2 },
  brincalhao: { pitch: 1.15, rate: 1.05, stability: 0 },
  serio: { pitch: 0.92, rate: 0.95, stability: 0.8 },
  autoritario: { pitch: 0.85, rate: 0.93, stability: 0.6, roughness: 2, brightness: 30 },
} as const satisfies Readonly<Record<string, Change>>;

/** Accents differ only in tempo and melody, because the voices cannot pronounce regional sounds. */
const accents = {
  paulista: { rate: 1.03, stability: 0.5 },
  carioca: { rate: 0.97, stability: 0.25 },
  mineiro: { rate: 1.07, pitch: 0.98, stability: 0.45 },
  nordestino: { rate: 0.95, pitch: 1.04, stability: 0.1 },
} as const satisfies Readonly<Record<string, Change>>;

const plainStability = 0.4;

const within = (min: number, max: number, value: number) => Math.min(max, Math.max(min, value));

const changed = (timbre: Timbre, change: Change): Timbre => ({
  pitchHz: timbre.pitchHz * (change.pitch ?? 1),
  formants: timbre.formants * (change.formants ?? 1),
  brightness: within(40, 200, timbre.brightness + (change.brightness ?? 0)),
  wordsPerMinute: timbre.wordsPerMinute * (change.rate ?? 1),
  roughness: within(0, 7, timbre.roughness + (change.roughness ?? 0)),
  breath: within(0, 10, timbre.breath + (change.breath ?? 0)),
});

export const actedVoice = (part: Part): { readonly persona: Persona; readonly expression: Expression } => {
  const changes: readonly Change[] = [
    part.accent === 'auto' ? {} : accents[part.accent],
    part.voiceType === 'auto' ? {} : voiceTypes[part.voiceType],
    part.emotion === 'auto' ? {} : emotions[part.emotion],
  ];
  const plain = namedPersona(voices[part.gender]);
  const timbre = changes.reduce<Timbre>(changed, plain);
  const stability = changes.reduce((current, change) => change.stability ?? current, plainStability);
  return {
    persona: { ...plain, ...timbre },
    expression: { stability, similarityBoost: 1, isWhispered: changes.some(({ isWhispered }) => isWhispered) },
  };
};
