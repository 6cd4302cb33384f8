/** The fields of an input that choose a voice. */
import * as z from 'zod';
import { type VoiceSlug, voiceSlugs } from '../../shared/catalog/voices.ts';
import { namedPersona, type Persona, personaOfId } from './persona.ts';

export const VoiceFields = {
  voice: z
    .string()
    .transform((voice) => voice.toLowerCase())
    .pipe(z.enum(voiceSlugs))
    .optional(),
  voiceId: z.string().min(1).optional(),
  stability: z.number().min(0).max(1),
  similarityBoost: z.number().min(0).max(1),
};

interface VoiceChoice {
  readonly voice?: VoiceSlug | undefined;
  readonly voiceId?: string | undefined;
}

/** Replaces the voice fields of an input by the chosen persona. */
export const withPersona = <Input extends VoiceChoice>(
  { voice, voiceId, ...rest }: Input,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): Omit<Input, keyof VoiceChoice> & { readonly persona: Persona } => {
  if (voiceId !== undefined) return { ...rest, persona: personaOfId(voiceId) };
  if (voice !== undefined) return { ...rest, persona: namedPersona(voice) };
  context.addIssue('voice or voiceId is required');
  return z.NEVER;
};
