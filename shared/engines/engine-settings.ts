/** The settings of an engine with a key: its URL, if a stage overrides it, and its key. */
import type { SettingValues } from '../platform/setting-values.ts';
import type { EngineNameWithKey } from './engine-names.ts';

export const engineSettings: Readonly<
  Record<EngineNameWithKey, { readonly url?: keyof SettingValues; readonly key: keyof SettingValues }>
> = {
  offline: { url: 'offlineEngineUrl', key: 'offlineEngineKey' },
  fal: { key: 'falKey' },
  elevenlabs: { key: 'elevenLabsKey' },
  klap: { key: 'klapKey' },
  vizard: { key: 'vizardKey' },
};
