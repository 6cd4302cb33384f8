/** Requests to the video models of fal.ai, following their pages (fal.ai/models, 2026-11). */
import type { ModelInput, ModelRequest, ModelTable } from '../model.ts';
import type { falVideoRoutes } from './fal-video-routes.ts';
import { ugcPrompt } from './ugc-prompt.ts';

type CreativeVideo = ModelRequest<'video-creative'>;

/** The input for creative videos. Both models for them take the duration as text. */
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

/** The Kling model itself determines the resolution. */
const kling = (request: CreativeVideo): ModelInput => ({
  ...video(request),
  start_image_url: request.imageUrl,
  end_image_url: request.lastImageUrl,
});

/**
 * With the video's orientation, the duration is that of the video; with the image's, it would be limited to ten
 * seconds.
 */
const imitation = ({ characterImage, motionVideo }: ModelRequest<'video-imitate'>): ModelInput => ({
  image_url: characterImage,
  video_url: motionVideo,
  character_orientation: 'video',
  keep_original_sound: true,
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
  'fal/veo-3.1-fast': {
    model: 'fal-ai/veo3.1/fast/first-last-frame-to-video',
    inputs: {
      'video-ugc': (request) => ({
        prompt: ugcPrompt(request),
        first_frame_url: request.combinedImages[0],
        last_frame_url: request.combinedImages.at(-1),
        aspect_ratio: '9:16',
        duration: '8s',
        resolution: '720p',
        generate_audio: true,
      }),
    },
  },
  'fal/kling-2.6-motion-standard': {
    model: 'fal-ai/kling-video/v2.6/standard/motion-control',
    inputs: { 'video-imitate': imitation },
  },
  'fal/kling-2.6-motion-pro': {
    model: 'fal-ai/kling-video/v2.6/pro/motion-control',
    inputs: { 'video-imitate': imitation },
  },
  'fal/kling-3.0-motion-standard': {
    model: 'fal-ai/kling-video/v3/standard/motion-control',
    inputs: { 'video-imitate': imitation },
  },
  'fal/kling-3.0-motion-pro': {
    model: 'fal-ai/kling-video/v3/pro/motion-control',
    inputs: { 'video-imitate': imitation },
  },
};
