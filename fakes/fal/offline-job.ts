/** Maps a fal.ai request to a job of the offline engine, by the endpoint's kind and documented fields. */
import { voiceSlugs } from '../../shared/catalog/voices.ts';
import { aspectRatios } from '../../shared/contracts/image-files.ts';
import type { OfflineJob } from '../offline-worker.ts';
import type { FalEndpointKind, ModelInput } from './fal-endpoint.ts';
import { falEndpoints } from './fal-endpoints.ts';

const promptLimit = 4000;
const referencesLimit = 4;
const textLimit = 2000;
const ratios: readonly unknown[] = aspectRatios;
const presetRatios: Readonly<Record<string, string>> = {
  square_hd: '1:1',
  square: '1:1',
  landscape_16_9: '16:9',
  portrait_16_9: '9:16',
  landscape_4_3: '4:3',
  portrait_4_3: '3:4',
};

const promptOf = ({ prompt }: ModelInput): string => String(prompt).slice(0, promptLimit);

const ratioOf = ({ aspect_ratio: ratio, image_size: preset }: ModelInput): string | undefined =>
  ratios.includes(ratio) ? String(ratio) : presetRatios[String(preset)];

const drawing = (input: ModelInput): OfflineJob => {
  const { num_images: numImages = 1, seed } = input;
  const aspectRatio = ratioOf(input);
  const chosen = typeof seed === 'number' && seed >= 0 ? { seed } : {};
  return {
    operation: 'image',
    input: { prompt: promptOf(input), numImages, ...(aspectRatio && { aspectRatio }), ...chosen },
  };
};

/** Edits the first image and treats the others as references, because no field distinguishes them. */
const editing = (input: ModelInput): OfflineJob => {
  const [imageUrl, ...others] = Array.isArray(input.image_urls) ? input.image_urls : [];
  const referenceImages = others.slice(0, referencesLimit);
  return { operation: 'image-edit', input: { imageUrl, prompt: promptOf(input), referenceImages } };
};

/** Writes PNG instead of GIF, which the offline engine does not support. */
const backgroundRemoval = ({
  image_url: imageUrl,
  output_format: format = 'png',
}: ModelInput): OfflineJob | undefined =>
  format === 'gif' ? undefined : { operation: 'background-remove', input: { imageUrl, format } };

/** Upscales by 2 or 4, the only factors of the offline engine. */
const upscale = ({ image_url: imageUrl, scale, upscale_factor: factor = 2 }: ModelInput): OfflineJob | undefined => {
  const times = scale ?? factor;
  return times === 2 || times === 4 ? { operation: 'image-upscale', input: { imageUrl, scale: times } } : undefined;
};

const videoRatios: readonly unknown[] = ['9:16', '16:9', '1:1'];

/** Generates videos of 4 to 10 seconds from a prompt and frames; references are not supported. */
const filming = (input: ModelInput, endpoint: string): OfflineJob | undefined => {
  const { duration, aspect_ratio: aspectRatio, generate_audio: audio = true, image_urls: references } = input;
  if (!/^(?:[4-9]|10)$/.test(String(duration)) || !videoRatios.includes(aspectRatio) || references) return undefined;
  const { resolution = endpoint.includes('/pro/') ? '1080p' : '720p', end_image_url: lastImageUrl } = input;
  const { image_url: imageUrl = input.start_image_url } = input;
  const frames = { ...(imageUrl ? { imageUrl } : {}), ...(lastImageUrl ? { lastImageUrl } : {}) };
  const video = { durationSec: Number(duration), aspectRatio, resolution, audio };
  return { operation: 'video-creative', input: { prompt: promptOf(input), ...video, ...frames } };
};

const slugs: readonly unknown[] = voiceSlugs;

/** Speaks with the service's voices; longer texts than the service allows are not supported. */
const speaking = (input: ModelInput): OfflineJob | undefined => {
  const { text, stability = 0.5, similarity_boost: similarityBoost = 0.75 } = input;
  const voice = String(input.voice).toLowerCase();
  if (!slugs.includes(voice) || String(text).length > textLimit) return undefined;
  return { operation: 'voice', input: { text, voice, stability, similarityBoost } };
};

const changingVoice = (input: ModelInput): OfflineJob | undefined => {
  const { audio_url: audioUrl, remove_background_noise: removeNoise = false } = input;
  const voice = String(input.voice).toLowerCase();
  if (!slugs.includes(voice)) return undefined;
  const expression = { stability: 0.5, similarityBoost: 0.75 };
  return { operation: 'voice-change', input: { audioUrl, voice, removeNoise, ...expression } };
};

const jobs: Readonly<Record<FalEndpointKind, (input: ModelInput, endpoint: string) => OfflineJob | undefined>> = {
  'text-to-image': drawing,
  edit: editing,
  'background-removal': backgroundRemoval,
  upscale,
  video: filming,
  speech: speaking,
  'voice-change': changingVoice,
  'video-utility': () => undefined,
  transcription: () => undefined,
};

/** The job; undefined for what the offline engine does not support. */
export const offlineJobFor = (endpoint: string, input: ModelInput): OfflineJob | undefined => {
  const known = Object.hasOwn(falEndpoints, endpoint) ? falEndpoints[endpoint] : undefined;
  return known && jobs[known.kind](input, endpoint);
};
