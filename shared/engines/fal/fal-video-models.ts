/** The requests to the video models of fal.ai, as their pages document them (fal.ai/models, 2026-11). */
import type { ModelInput, ModelRequest, ModelTable } from '../model.ts';
import type { falVideoRoutes } from './fal-routes.ts';

type CreativeVideo = ModelRequest<'video-creative'>;

/** Both models name durations by text. */
const video = ({ prompt, durationSec, aspectRatio, audio }: CreativeVideo): ModelInput => ({
  prompt,
  duration: String(durationSec),
  aspect_ratio: aspectRatio,
  generate_audio: audio,
});

const seedance = (request: CreativeVideo): ModelInput => ({
  ...video(request),
  resolution: request.resolution,
  image_url: request.imageUrl,
  end_image_url: request.lastImageUrl,
});

/** The model determines the resolution. */
const kling = (request: CreativeVideo): ModelInput => ({
  ...video(request),
  start_image_url: request.imageUrl,
  end_image_url: request.lastImageUrl,
});

const seedanceFolder = 'bytedance/seedance-2.0';
const klingFolder = 'fal-ai/kling-video/o3';

export const falVideoModels: ModelTable<typeof falVideoRoutes> = {
  'fal/seedance-2.0-text': { model: `${seedanceFolder}/text-to-video`, inputs: { 'video-creative': seedance } },
  'fal/seedance-2.0-image': { model: `${seedanceFolder}/image-to-video`, inputs: { 'video-creative': seedance } },
  'fal/kling-o3-standard-text': {
    model: `${klingFolder}/standard/text-to-video`,
    inputs: { 'video-creative': kling },
  },
  'fal/kling-o3-standard-reference': {
    model: `${klingFolder}/standard/reference-to-video`,
    inputs: { 'video-creative': kling },
  },
  'fal/kling-o3-pro-text': { model: `${klingFolder}/pro/text-to-video`, inputs: { 'video-creative': kling } },
  'fal/kling-o3-pro-reference': { model: `${klingFolder}/pro/reference-to-video`, inputs: { 'video-creative': kling } },
};
