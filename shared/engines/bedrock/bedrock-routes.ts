/**
 * Routes to Stability's models on Amazon Bedrock. Use them only as fallbacks: their image limits are narrower than the
 * operations', and images are not inspected when a task is created, so a task beyond them fails with INPUT_INVALID
 * before it is submitted.
 */
import type { RouteTable } from '../route.ts';

export const bedrockRoutes = {
  'bedrock/stable-image-core': { image: { numImages: [1], aspectRatio: ['1:1', '16:9', '9:16', '21:9'] } },
  // Stability's model cannot fill the background that it removes.
  'bedrock/remove-background': {
    'background-remove': {
      background: ['transparent'],
      format: ['png', 'webp'],
      imageUrl: { maxPixels: 9_437_184, minSidePixels: 64, ratios: ['1:2.5', '2.5:1'] },
    },
  },
  'bedrock/fast-upscale': { 'image-upscale': { scale: [4], imageUrl: { maxPixels: 1_048_576, maxSidePixels: 1536 } } },
} as const satisfies RouteTable<'bedrock'>;
