import type { EngineChoices } from '../../shared/catalog/engine-choice.ts';
import { type VoiceSlug, voiceName, voiceSlugs, voices } from '../../shared/catalog/voices.ts';
import { publicContracts } from '../../shared/contracts/public.ts';
import { routesRow } from '../../shared/domain/catalog/routes-row.ts';
import { voicePreviewsRow } from '../../shared/domain/catalog/voice-previews-row.ts';
import { voicesRow } from '../../shared/domain/catalog/voices-row.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import { elevenLabsRoutes } from '../../shared/engines/elevenlabs/elevenlabs-routes.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Whether voices have ids of their own, which only ElevenLabs supports. */
const hasOwnIds = ({ voice }: EngineChoices): boolean => voice.routes.some((id) => id in elevenLabsRoutes);

const listed = (slug: VoiceSlug, id: string, previewUrl: string | null) => {
  const { language, gender, style } = voices[slug];
  return { id, slug, name: voiceName(slug), language, gender, style, previewUrl };
};

/** Lists the voices from the catalog, without asking an engine. */
export const listVoices: Operation<'listVoices', 'catalog'> = async (_request, { catalog, settings }) => {
  const [choices, voiceIds, previews] = await Promise.all([
    catalog.read(routesRow),
    catalog.read(voicesRow),
    catalog.read(voicePreviewsRow),
  ]);
  const ownIds = hasOwnIds(choices);
  const urlOf = (key: string | null) => key && `${settings.resultsUrl}/${key}`;
  return { voices: voiceSlugs.map((slug) => listed(slug, ownIds ? voiceIds[slug] : slug, urlOf(previews[slug]))) };
};

export const definition = sharedLambda(publicContracts.listVoices, listVoices, { catalog });
