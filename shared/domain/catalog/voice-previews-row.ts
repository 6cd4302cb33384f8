/** The recordings of the voices, as keys in the results bucket; null where there is none. */
import * as z from 'zod';
import { type VoiceSlug, voiceSlugs } from '../../catalog/voices.ts';
import type { CatalogRow } from './catalog-row.ts';

const previewKey = () =>
  z
    .string()
    .regex(/^voices\/[\w-]+\.mp3$/, { error: 'must be the key of a recording: "engine preview-voices" makes it' })
    .nullable();

export const voicePreviewsRow: CatalogRow<Readonly<Record<VoiceSlug, string | null>>> = {
  name: 'voice-previews',
  members: () => Object.fromEntries(voiceSlugs.map((slug) => [slug, { schema: previewKey, byDefault: null }])),
  toValue: (members) => members as Readonly<Record<VoiceSlug, string | null>>,
};
