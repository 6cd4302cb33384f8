/** Requests to the models of fal.ai that make videos from reference images, following their pages (2026-11). */
import type { ModelInput, ModelRequest, ModelTable } from '../model.ts';
import { type falStudioRoutes, klingPromptLength } from './fal-video-routes.ts';
import { studioImages, studioPrompt } from './studio-prompt.ts';

type StudioVideo = ModelRequest<'video-studio'>;

/** The input for Studio videos. Both models for them take the duration as text. */
const studioVideo = (request: StudioVideo): ModelInput => ({
  prompt: studioPrompt(request),
  image_urls: studioImages(request),
  duration: String(request.durationSec),
  aspect_ratio: request.aspectRatio,
  generate_audio: true,
});

export const falStudioModels: ModelTable<typeof falStudioRoutes> = {
  'fal/seedance-2.0-reference': {
    model: 'bytedance/seedance-2.0/reference-to-video',
    inputs: { 'video-studio': (request) => ({ ...studioVideo(request), resolution: request.resolution }) },
  },
  // The Kling model itself determines the resolution.
  'fal/kling-o3-standard-images': {
    model: 'fal-ai/kling-video/o3/standard/reference-to-video',
    inputs: {
      'video-studio': (request) => {
        const video = studioVideo(request);
        return { ...video, prompt: Array.from(String(video.prompt)).slice(0, klingPromptLength).join('') };
      },
    },
  },
};
