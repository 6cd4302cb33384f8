/** The ids of the voices at ElevenLabs. */
import * as z from 'zod';
import { defaultVoiceIds, type VoiceIds } from '../../catalog/voices.ts';
import type { CatalogRow } from './catalog-row.ts';

/** The schema of a voice id, which allows no other characters because the id becomes part of a URL. */
const voiceId = () =>
  z.string().regex(/^[A-Za-z0-9]{8,64}$/, { error: 'must be a voice id: 8 to 64 letters and digits' });

export const voicesRow: CatalogRow<VoiceIds> = {
  name: 'voices',
  members: () =>
    Object.fromEntries(
      Object.entries(defaultVoiceIds).map(([slug, byDefault]) => [slug, { schema: voiceId, byDefault }]),
    ),
  toValue: (members) => members as unknown as VoiceIds,
};
