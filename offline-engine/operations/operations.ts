/** The operations of the engine by name; each is imported on first use. */
import type { TaskType } from '../../shared/contracts/task-types.ts';
import type { Operation } from '../operation.ts';

const loaders: Readonly<Record<TaskType, () => Promise<Operation>>> = {
  'background-remove': async () => (await import('./background-remove.ts')).backgroundRemove,
  cortes: async () => (await import('./cortes.ts')).cortes,
  'character-replace': async () => (await import('./character-replace.ts')).characterReplace,
  image: async () => (await import('./image.ts')).image,
  'image-edit': async () => (await import('./image-edit.ts')).imageEdit,
  'image-upscale': async () => (await import('./image-upscale.ts')).imageUpscale,
  influencer: async () => (await import('./influencer.ts')).influencer,
  'skin-enhance': async () => (await import('./skin-enhance.ts')).skinEnhance,
  'video-creative': async () => (await import('./video-creative.ts')).videoCreative,
  'video-ugc': async () => (await import('./video-ugc.ts')).videoUgc,
  'video-imitate': async () => (await import('./video-imitate.ts')).videoImitate,
  'video-studio': async () => (await import('./video-studio.ts')).videoStudio,
  'voice-change': async () => (await import('./voice-change.ts')).voiceChange,
  voice: async () => (await import('./voice.ts')).voice,
};

export const findOperation = async (name: string): Promise<Operation | undefined> =>
  Object.hasOwn(loaders, name) ? loaders[name as TaskType]() : undefined;
