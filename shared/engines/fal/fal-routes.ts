/** The routes to fal.ai's models, in order of preference for each task type. */
import { inputLimits } from '../../contracts/media.ts';
import type { RouteTable } from '../route.ts';

/** Documented by Kling for its prompts. */
const klingPrompt = { maxLength: 2500 } as const;

/**
 * Images up to 8 MB: documented for other models of Veo 3.1. Images of Kling and Seedance: published by resellers, for
 * Kling's motion control, and assumed for its o3.
 */
const veoImage = { maxBytes: 8 * 2 ** 20 } as const;
const seedanceImage = { minSidePixels: 300, ratios: ['1:2.5', '2.5:1'] } as const;
const klingImage = { ...seedanceImage, types: ['image/jpeg', 'image/png'] } as const;

const seedanceFrames = { imageUrl: { ...seedanceImage, given: true }, lastImageUrl: seedanceImage } as const;
const klingFrames = { imageUrl: { ...klingImage, given: true }, lastImageUrl: klingImage } as const;

/** Kling has a model for each resolution, and one for frames. */
export const falVideoRoutes = {
  'fal/seedance-2.0-text': { 'video-creative': { imageUrl: 'absent' } },
  'fal/seedance-2.0-image': { 'video-creative': seedanceFrames },
  'fal/kling-o3-standard-text': {
    'video-creative': { imageUrl: 'absent', resolution: ['720p'], prompt: klingPrompt },
  },
  'fal/kling-o3-standard-reference': {
    'video-creative': { ...klingFrames, resolution: ['720p'], prompt: klingPrompt },
  },
  'fal/kling-o3-pro-text': { 'video-creative': { imageUrl: 'absent', resolution: ['1080p'], prompt: klingPrompt } },
  'fal/kling-o3-pro-reference': { 'video-creative': { ...klingFrames, resolution: ['1080p'], prompt: klingPrompt } },
} as const satisfies RouteTable<'fal'>;

/** It is undocumented whether the result has the shape of the image or of the motion, so both must have that of the task. */
const motionFiles = {
  characterImage: { ...klingImage, aspectRatio: '9:16' },
  motionVideo: { minSidePixels: 340, maxSidePixels: 3850, aspectRatio: '9:16' },
} as const;

export const falStudioRoutes = {
  'fal/seedance-2.0-reference': { 'video-studio': { product: seedanceImage, avatar: seedanceImage } },
  // The model speaks English and Chinese only.
  'fal/kling-o3-standard-images': {
    'video-studio': {
      resolution: ['720p'],
      aspectRatio: ['16:9', '9:16', '1:1'],
      speechPolicy: ['forbidden'],
      product: klingImage,
      avatar: klingImage,
    },
  },
} as const satisfies RouteTable<'fal'>;

export const falRoutes = {
  // The model accepts voices only by name.
  'fal/elevenlabs-multilingual-v2': { voice: { voiceId: 'absent' } },
  // Nothing is documented about films.
  'fal/elevenlabs-voice-changer': {
    'voice-change': { voiceId: 'absent', audioUrl: { types: inputLimits.audio.types } },
  },
  'fal/nano-banana-2': { image: {} },
  'fal/flux-pro-v1.1': { image: { aspectRatio: ['1:1', '16:9', '9:16', '4:3', '3:4'] } },
  'fal/nano-banana-2-edit': { 'image-edit': {}, 'skin-enhance': {} },
  'fal/nano-banana-pro': { influencer: { referenceImages: 'absent' } },
  'fal/nano-banana-pro-edit': { 'character-replace': {}, influencer: { referenceImages: 'given' } },
  // The model cannot fill the background that it removes.
  'fal/birefnet-v2': { 'background-remove': { background: ['transparent'] } },
  'fal/seedvr-upscale': { 'image-upscale': {} },
  'fal/esrgan': { 'image-upscale': {} },
  ...falVideoRoutes,
  'fal/veo-3.1-fast': { 'video-ugc': { combinedImages: veoImage } },
  'fal/kling-2.6-motion-standard': {
    'video-imitate': { model: ['vendor-motion-2.6'], quality: ['720p'], ...motionFiles },
  },
  'fal/kling-2.6-motion-pro': {
    'video-imitate': { model: ['vendor-motion-2.6'], quality: ['1080p'], ...motionFiles },
  },
  'fal/kling-3.0-motion-standard': {
    'video-imitate': { model: ['vendor-motion-3.0'], quality: ['720p'], ...motionFiles },
  },
  'fal/kling-3.0-motion-pro': {
    'video-imitate': { model: ['vendor-motion-3.0'], quality: ['1080p'], ...motionFiles },
  },
  ...falStudioRoutes,
} as const satisfies RouteTable<'fal'>;
