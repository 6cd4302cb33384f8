/**
 * The routes to Stability's models on Amazon Bedrock. Their limits on images are narrower than the operations', and the
 * images are not looked at when a task is created: tasks beyond them fail with INPUT_INVALID before they are submitted,
 * so these routes are only fallbacks.
 */
import type { RouteTable } from '../route.ts';

export const bedrockRoutes = {
  'bedrock/stable-image-core': { image: { numImages: [1], aspectRatio: ['1:1', '16:9', '9:16', '21:9'] } },
  // The model cannot fill the background that it removes.
  'bedrock/remove-background': {
    'background-remove': {
      background: ['transparent'],
      format: ['png', 'webp'],
      imageUrl: { maxPixels: 9_437_184, minSidePixels: 64, ratios: ['1:2.5', '2.5:1'] },
    },
  },
  'bedrock/fast-upscale': { 'image-upscale': { scale: [4], imageUrl: { maxPixels: 1_048_576, maxSidePixels: 1536 } } },
} as const satisfies RouteTable<'bedrock'>;
