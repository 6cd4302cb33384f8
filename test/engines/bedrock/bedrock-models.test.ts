/** The mapping of requests to Stability's models on Bedrock. */
import { describe, expect, test } from 'vitest';
import { aspectRatios } from '../../../shared/contracts/image-files.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { routedRequest } from '../../support/routed-request.ts';

const sent = (taskType: TaskType, request: object) => routedRequest('bedrock', taskType, request);

const imageUrl = 'https://example.com/a.png';
const prompt = 'um farol';
const core = 'stability.stable-image-core-v1:1';

describe('Stable Image Core', () => {
  test('receives the prompt and the aspect ratio, but no absent or empty fields', async () => {
    const plain = { prompt, aspect_ratio: '1:1', output_format: 'png' };
    expect(await sent('image', { prompt })).toEqual([core, plain]);
    expect(await sent('image', { prompt, negativePrompt: '' })).toEqual([core, plain]);
    expect(await sent('image', { prompt, negativePrompt: 'gente', aspectRatio: '21:9' })).toEqual([
      core,
      { ...plain, negative_prompt: 'gente', aspect_ratio: '21:9' },
    ]);
  });

  test('supports four aspect ratios and one image at a time', async () => {
    const isSupported = async (request: object) => (await sent('image', { prompt, ...request })) !== 'unsupported';
    const supported = await Promise.all(aspectRatios.map((aspectRatio) => isSupported({ aspectRatio })));
    expect(aspectRatios.filter((_, index) => supported[index])).toEqual(['1:1', '16:9', '9:16', '21:9']);
    expect(await isSupported({ numImages: 2 })).toBe(false);
  });

  test.for([
    [0, 1],
    [7, 8],
    [4_294_967_293, 4_294_967_294],
    [4_294_967_294, 1],
    [Number.MAX_SAFE_INTEGER, (Number.MAX_SAFE_INTEGER % 4_294_967_294) + 1],
  ])(
    'receives the requested seed %i as the seed %i, which is within its range and always the same',
    async ([seed, expected]) => {
      expect(await sent('image', { prompt, seed })).toMatchObject([core, { seed: expected }]);
      expect(expected).toBeGreaterThan(0);
      expect(expected).toBeLessThan(2 ** 32 - 1);
    },
  );
});

test('Remove Background on Bedrock receives the requested format, and does not support a background color', async () => {
  const model = 'us.stability.stable-image-remove-background-v1:0';
  for (const format of ['png', 'webp']) {
    const input = { image: imageUrl, output_format: format };
    expect(await sent('background-remove', { imageUrl, format })).toEqual([model, input]);
  }
  expect(await sent('background-remove', { imageUrl, background: '#ffffff' })).toBe('unsupported');
});

test('Fast Upscale on Bedrock supports only the scale 4', async () => {
  expect(await sent('image-upscale', { imageUrl, scale: 4 })).toEqual([
    'us.stability.stable-fast-upscale-v1:0',
    { image: imageUrl, output_format: 'png' },
  ]);
  expect(await sent('image-upscale', { imageUrl, scale: 2 })).toBe('unsupported');
});
