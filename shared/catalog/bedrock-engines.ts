/**
 * How Stability's models on Amazon Bedrock make pictures: models and their inputs as the Bedrock user guide documents them
 * (Stable Image Core; Stability AI Image Services; 2026-11).
 *
 * Assumed, because no page says so or because pages differ: that the inference profiles with `us.` are what an account in
 * the United States must ask for, that Stable Image Core is still open to new accounts (in us-west-2 alone), and that it
 * takes `png` in lower case as the Image Services do.
 *
 * What a request does not show can not be asked for in `takes`: Fast Upscale refuses pictures of more than 1,048,576 pixels
 * or 1,536 on a side, Remove Background those of more than 9,437,184 pixels, below 64 on a side or beyond 2.5 : 1. Such a
 * task fails with INPUT_INVALID, so these routes are second choices.
 */
import type { EngineChoice } from './engine-choice.ts';

export const bedrockEngines = {
  image: {
    routes: [
      {
        engine: 'bedrock',
        model: 'stability.stable-image-core-v1:1',
        takes: { numImages: [1], aspectRatio: ['1:1', '16:9', '9:16', '21:9'] },
        // To the model, seed 0 is any seed: a given one is folded into 1 to 4294967294, so that it stays one.
        input:
          '{ "prompt": prompt, "negative_prompt": negativePrompt != "" ? negativePrompt, "aspect_ratio": aspectRatio, "seed": $exists(seed) ? seed % 4294967294 + 1, "output_format": "png" }',
      },
    ],
  },
  'background-remove': {
    routes: [
      {
        engine: 'bedrock',
        model: 'us.stability.stable-image-remove-background-v1:0',
        // The model leaves nothing behind what it cuts out, and knows no colours.
        takes: { background: ['transparent'], format: ['png', 'webp'] },
        input: '{ "image": imageUrl, "output_format": format }',
      },
    ],
  },
  'image-upscale': {
    routes: [
      {
        engine: 'bedrock',
        model: 'us.stability.stable-fast-upscale-v1:0',
        takes: { scale: [4] },
        input: '{ "image": imageUrl, "output_format": "png" }',
      },
    ],
  },
} as const satisfies Readonly<Record<string, EngineChoice>>;
