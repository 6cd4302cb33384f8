/** How requests become what Stability's models on Bedrock take. */
import { describe, expect, test } from 'vitest';
import { bedrockEngines } from '../../shared/catalog/bedrock-engines.ts';
import type { EngineRoute } from '../../shared/catalog/engine-choice.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { aspectRatios } from '../../shared/contracts/generate-images.ts';
import { chooseRoute } from '../../shared/domain/generation/choose-route.ts';
import { mapInput } from '../../shared/platform/map-input.ts';
import { closedCircuits } from '../support/closed-circuits.ts';

const untroubled = { clock: { now: () => 0 }, circuits: closedCircuits };

/** The model and its input for a request, with the request's defaults filled in; or why no model takes it. */
async function mapped(taskType: keyof typeof bedrockEngines, request: object) {
  const contract = Object.values(generateContracts).find((candidate) => candidate.taskType === taskType);
  const body = contract?.body.parse(request) as Record<string, unknown>;
  const routes: readonly EngineRoute[] = bedrockEngines[taskType].routes;
  const chosen = await chooseRoute(untroubled, routes, body, { taskType, accountId: 'anyone' });
  if (chosen.status !== 'chosen') return chosen.status;
  const { model, input } = chosen.route;
  return [model, await mapInput(input ?? '', body)] as const;
}

const imageUrl = 'https://example.com/a.png';
const prompt = 'um farol';
const core = 'stability.stable-image-core-v1:1';

describe('words', () => {
  test('become a prompt and a ratio; what was not given, or says nothing, is left out', async () => {
    const plain = { prompt, aspect_ratio: '1:1', output_format: 'png' };
    expect(await mapped('image', { prompt })).toEqual([core, plain]);
    expect(await mapped('image', { prompt, negativePrompt: '' })).toEqual([core, plain]);
    expect(await mapped('image', { prompt, negativePrompt: 'gente', aspectRatio: '21:9' })).toEqual([
      core,
      { ...plain, negative_prompt: 'gente', aspect_ratio: '21:9' },
    ]);
  });

  test('go to the model in the ratios that it knows, and one picture at a time', async () => {
    const takes = async (request: object) => (await mapped('image', { prompt, ...request })) !== 'unsupported';
    const taken = await Promise.all(aspectRatios.map((aspectRatio) => takes({ aspectRatio })));
    expect(aspectRatios.filter((_, index) => taken[index])).toEqual(['1:1', '16:9', '9:16', '21:9']);
    expect(await takes({ numImages: 2 })).toBe(false);
  });

  test.for([
    [0, 1],
    [7, 8],
    [4_294_967_293, 4_294_967_294],
    [4_294_967_294, 1],
    [Number.MAX_SAFE_INTEGER, (Number.MAX_SAFE_INTEGER % 4_294_967_294) + 1],
  ])('with the seed %i have one that the model takes and that is not left to chance: %i', async ([seed, sent]) => {
    expect(await mapped('image', { prompt, seed })).toMatchObject([core, { seed: sent }]);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(2 ** 32 - 1);
  });
});

test('a background is taken away in the format asked for; a colour is nothing that the model can do', async () => {
  const model = 'us.stability.stable-image-remove-background-v1:0';
  for (const format of ['png', 'webp']) {
    const sent = { image: imageUrl, output_format: format };
    expect(await mapped('background-remove', { imageUrl, format })).toEqual([model, sent]);
  }
  expect(await mapped('background-remove', { imageUrl, background: '#ffffff' })).toBe('unsupported');
});

test('a picture is made four times as large, and at no other scale', async () => {
  expect(await mapped('image-upscale', { imageUrl, scale: 4 })).toEqual([
    'us.stability.stable-fast-upscale-v1:0',
    { image: imageUrl, output_format: 'png' },
  ]);
  expect(await mapped('image-upscale', { imageUrl, scale: 2 })).toBe('unsupported');
});
