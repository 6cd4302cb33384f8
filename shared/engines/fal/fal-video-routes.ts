/** The routes to fal.ai's video models, in order of preference for each task type. */
import type { RouteTable } from '../route.ts';

/** The longest prompt, as documented by Kling. */
export const klingPromptLength = 2500;
const klingPrompt = { maxLength: klingPromptLength } as const;

/**
 * Veo's limit of 8 MB per image is documented for other models of Veo 3.1. The limits of Kling and Seedance are
 * published by resellers, for Kling's motion control, and assumed for its o3.
 */
const veoImage = { maxBytes: 8 * 2 ** 20 } as const;
const seedanceImage = { minSidePixels: 300, ratios: ['1:2.5', '2.5:1'] } as const;
const klingImage = { ...seedanceImage, types: ['image/jpeg', 'image/png'] } as const;

const seedanceFrames = { imageUrl: { ...seedanceImage, given: true }, lastImageUrl: seedanceImage } as const;
const klingFrames = { imageUrl: { ...klingImage, given: true }, lastImageUrl: klingImage } as const;

/**
 * Both files must have the aspect ratio of the result, because it is undocumented whether the result gets that of the
 * image or of the motion video.
 */
const motionFiles = {
  characterImage: { ...klingImage, aspectRatio: '9:16' },
  // The file types, like the limits, are documented only by resellers.
  motionVideo: {
    types: ['video/mp4', 'video/quicktime'],
    minSidePixels: 340,
    maxSidePixels: 3850,
    aspectRatio: '9:16',
  },
} as const;

export const falVideoRoutes = {
  'fal/seedance-2.0-text': { 'video-creative': { imageUrl: 'absent' } },
  'fal/seedance-2.0-image': { 'video-creative': seedanceFrames },
  // Kling has one model per resolution, and another one for start and end frames.
  'fal/kling-o3-standard-text': {
    'video-creative': { imageUrl: 'absent', resolution: ['720p'], prompt: klingPrompt },
  },
  'fal/kling-o3-standard-reference': {
    'video-creative': { ...klingFrames, resolution: ['720p'], prompt: klingPrompt },
  },
  'fal/kling-o3-pro-text': { 'video-creative': { imageUrl: 'absent', resolution: ['1080p'], prompt: klingPrompt } },
  'fal/kling-o3-pro-reference': { 'video-creative': { ...klingFrames, resolution: ['1080p'], prompt: klingPrompt } },
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
} as const satisfies RouteTable<'fal'>;

export const falStudioRoutes = {
  'fal/seedance-2.0-reference': { 'video-studio': { product: seedanceImage, avatar: seedanceImage } },
  // Kling's o3 model speaks only English and Chinese.
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
