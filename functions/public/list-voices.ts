import { type VoiceSlug, voiceName, voiceSlugs, voices } from '../../shared/catalog/voices.ts';
import { publicContracts } from '../../shared/contracts/public.ts';
import type { Catalog } from '../../shared/domain/catalog/catalog-store.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import { elevenLabsRoutes } from '../../shared/engines/elevenlabs/elevenlabs-routes.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Whether voices have ids of their own, which only ElevenLabs supports. */
const hasOwnIds = ({ engines }: Catalog): boolean => engines.voice.routes.some((id) => id in elevenLabsRoutes);

const listed = (slug: VoiceSlug, id: string) => {
  const { language, gender, style } = voices[slug];
  return { id, slug, name: voiceName(slug), language, gender, style, previewUrl: null };
};

/** Lists the voices from the catalog, without asking an engine. */
export const listVoices: Operation<'listVoices', 'catalog'> = async (_request, { catalog }) => {
  const current = await catalog.read();
  const ownIds = hasOwnIds(current);
  return { voices: voiceSlugs.map((slug) => listed(slug, ownIds ? current.voiceIds[slug] : slug)) };
};

export const definition = operationLambda(publicContracts.listVoices, listVoices, { catalog });
