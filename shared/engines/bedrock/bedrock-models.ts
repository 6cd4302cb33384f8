/**
 * Requests to Stability's models on Amazon Bedrock, following the Bedrock user guide (Stable Image Core; Stability AI
 * Image Services; 2026-11). Assumed, because the guide is silent or contradicts itself: that accounts in the United
 * States use the inference profiles that begin with `us.`, and that Stable Image Core is open to new accounts, only in
 * us-west-2, and accepts `png` in lower case.
 */
import type { ModelTable } from '../model.ts';
import type { bedrockRoutes } from './bedrock-routes.ts';

/** Maps a seed to 1 to 4294967294, because the model treats seed 0 as random. */
const seedFor = (seed: number): number => (seed % 4_294_967_294) + 1;

export const bedrockModels: ModelTable<typeof bedrockRoutes> = {
  'bedrock/stable-image-core': {
    model: 'stability.stable-image-core-v1:1',
    inputs: {
      image: ({ prompt, negativePrompt, aspectRatio, seed }) => ({
        prompt,
        negative_prompt: negativePrompt || undefined,
        aspect_ratio: aspectRatio,
        seed: seed === undefined ? undefined : seedFor(seed),
        output_format: 'png',
      }),
    },
  },
  'bedrock/remove-background': {
    model: 'us.stability.stable-image-remove-background-v1:0',
    inputs: { 'background-remove': ({ imageUrl, format }) => ({ image: imageUrl, output_format: format }) },
  },
  'bedrock/fast-upscale': {
    model: 'us.stability.stable-fast-upscale-v1:0',
    inputs: { 'image-upscale': ({ imageUrl }) => ({ image: imageUrl, output_format: 'png' }) },
  },
};
