/** The routes to fal.ai's models, in order of preference for each task type. */
import { inputLimits } from '../../contracts/media.ts';
import type { RouteTable } from '../route.ts';
import { falStudioRoutes, falVideoRoutes } from './fal-video-routes.ts';

export const falRoutes = {
  // The model accepts voices only by name.
  'fal/elevenlabs-multilingual-v2': { voice: { voiceId: 'absent' } },
  // Only these types are documented.
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
  ...falStudioRoutes,
} as const satisfies RouteTable<'fal'>;
