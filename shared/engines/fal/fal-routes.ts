/** The routes to fal.ai's models, in order of preference for each task type. */
import { inputLimits } from '../../contracts/media.ts';
import type { RouteTable } from '../route.ts';
import { falStudioRoutes, falVideoRoutes } from './fal-video-routes.ts';

export const falRoutes = {
  // Multilingual v2 at fal.ai accepts voices only by name.
  'fal/elevenlabs-multilingual-v2': { voice: { voiceId: 'absent' } },
  // The voice changer documents only these file types.
  'fal/elevenlabs-voice-changer': {
    'voice-change': { voiceId: 'absent', audioUrl: { types: inputLimits.audio.types } },
  },
  'fal/nano-banana-2': { image: {} },
  'fal/flux-pro-v1.1': { image: { aspectRatio: ['1:1', '16:9', '9:16', '4:3', '3:4'] } },
  'fal/nano-banana-2-edit': { 'image-edit': {}, 'skin-enhance': {} },
  'fal/nano-banana-pro': { influencer: { referenceImages: 'absent' } },
  'fal/nano-banana-pro-edit': { 'character-replace': {}, influencer: { referenceImages: 'given' } },
  // BiRefNet cannot fill the background that it removes.
  'fal/birefnet-v2': { 'background-remove': { background: ['transparent'] } },
  'fal/seedvr-upscale': { 'image-upscale': {} },
  'fal/esrgan': { 'image-upscale': {} },
  ...falVideoRoutes,
  ...falStudioRoutes,
} as const satisfies RouteTable<'fal'>;
