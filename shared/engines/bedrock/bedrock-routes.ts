/**
 * The routes to Stability's models on Amazon Bedrock. Fast Upscale rejects images of more than 1,048,576 pixels or
 * 1,536 on a side, Remove Background those of more than 9,437,184 pixels, below 64 on a side or beyond 2.5 : 1. A
 * request does not show that, so such tasks fail with INPUT_INVALID, and these routes are only fallbacks.
 */
import type { RouteTable } from '../route.ts';

export const bedrockRoutes = {
  'bedrock/stable-image-core': { image: { numImages: [1], aspectRatio: ['1:1', '16:9', '9:16', '21:9'] } },
  // The model cannot fill the background that it removes.
  'bedrock/remove-background': { 'background-remove': { background: ['transparent'], format: ['png', 'webp'] } },
  'bedrock/fast-upscale': { 'image-upscale': { scale: [4] } },
} as const satisfies RouteTable<'bedrock'>;
