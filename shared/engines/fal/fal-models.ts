/** Requests to the models of fal.ai, following their pages (docs.fal.ai, 2026-11). */
import type { ModelInput, ModelTable } from '../model.ts';
import { characterPrompt, editPrompt, imagePrompt, portraitPrompt, skinPrompt } from './fal-prompts.ts';
import type { falRoutes } from './fal-routes.ts';
import { falStudioModels } from './fal-studio-models.ts';
import { falVideoModels } from './fal-video-models.ts';

/** Flux's names for the aspect ratios that its route supports. */
const fluxSizes: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
};

/** The input for one new image that is generated from the given ones. */
const edit = (prompt: string, images: readonly (string | undefined)[], aspectRatio = 'auto'): ModelInput => ({
  prompt,
  image_urls: images.filter((url) => url !== undefined),
  aspect_ratio: aspectRatio,
  num_images: 1,
  output_format: 'png',
});

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

export const falModels: ModelTable<typeof falRoutes> = {
  'fal/elevenlabs-multilingual-v2': {
    model: 'fal-ai/elevenlabs/tts/multilingual-v2',
    inputs: {
      voice: ({ text, voice = '', stability, similarityBoost }) => ({
        text,
        voice: capitalized(voice),
        stability,
        similarity_boost: similarityBoost,
      }),
    },
  },
  // The voice changer at fal.ai has no fields for stability and similarity.
  'fal/elevenlabs-voice-changer': {
    model: 'fal-ai/elevenlabs/voice-changer',
    inputs: {
      'voice-change': ({ audioUrl, voice = '', removeNoise }) => ({
        audio_url: audioUrl,
        voice: capitalized(voice),
        remove_background_noise: removeNoise,
        output_format: 'mp3_44100_128',
      }),
    },
  },
  'fal/nano-banana-2': {
    model: 'fal-ai/nano-banana-2',
    inputs: {
      image: (request) => ({
        prompt: imagePrompt(request),
        aspect_ratio: request.aspectRatio,
        num_images: request.numImages,
        seed: request.seed,
        output_format: 'png',
      }),
    },
  },
  'fal/flux-pro-v1.1': {
    model: 'fal-ai/flux-pro/v1.1',
    inputs: {
      image: (request) => ({
        prompt: imagePrompt(request),
        image_size: fluxSizes[request.aspectRatio],
        num_images: request.numImages,
        seed: request.seed,
        output_format: 'png',
      }),
    },
  },
  'fal/nano-banana-2-edit': {
    model: 'fal-ai/nano-banana-2/edit',
    inputs: {
      'image-edit': (request) => {
        const { imageUrl, maskUrl, referenceImages = [] } = request;
        return edit(editPrompt(request), [imageUrl, maskUrl, ...referenceImages]);
      },
      'skin-enhance': (request) => edit(skinPrompt(request), [request.imageUrl], request.aspectRatio),
    },
  },
  'fal/nano-banana-pro': {
    model: 'fal-ai/nano-banana-pro',
    inputs: {
      influencer: (request) => ({
        prompt: portraitPrompt(request),
        aspect_ratio: request.aspectRatio,
        num_images: 1,
        output_format: 'png',
      }),
    },
  },
  'fal/nano-banana-pro-edit': {
    model: 'fal-ai/nano-banana-pro/edit',
    inputs: {
      'character-replace': (request) => edit(characterPrompt(request), [request.imageUrl, request.characterImage]),
      influencer: (request) => {
        const prompt = `${portraitPrompt(request)} Use the given images as references.`;
        return edit(prompt, request.referenceImages ?? [], request.aspectRatio);
      },
    },
  },
  'fal/birefnet-v2': {
    model: 'fal-ai/birefnet/v2',
    inputs: {
      'background-remove': ({ imageUrl, format }) => ({
        image_url: imageUrl,
        model: 'General Use (Light)',
        refine_foreground: true,
        output_format: format,
      }),
    },
  },
  'fal/seedvr-upscale': {
    model: 'fal-ai/seedvr/upscale/image',
    inputs: {
      'image-upscale': ({ imageUrl, scale }) => ({
        image_url: imageUrl,
        upscale_mode: 'factor',
        upscale_factor: scale,
        output_format: 'png',
      }),
    },
  },
  'fal/esrgan': {
    model: 'fal-ai/esrgan',
    inputs: { 'image-upscale': ({ imageUrl, scale }) => ({ image_url: imageUrl, scale }) },
  },
  ...falVideoModels,
  ...falStudioModels,
};
