/** How requests become what fal's models take. */
import { describe, expect, test } from 'vitest';
import type { EngineRoute } from '../../shared/catalog/engine-choice.ts';
import { falEngines } from '../../shared/catalog/fal-engines.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { voiceSlugs } from '../../shared/contracts/generate-audio.ts';
import { chooseRoute } from '../../shared/domain/generation/choose-route.ts';
import { mapInput } from '../../shared/platform/map-input.ts';
import { closedCircuits } from '../support/closed-circuits.ts';

const untroubled = { clock: { now: () => 0 }, circuits: closedCircuits };

/** The model and its input for a request, with the request's defaults filled in; or why no model takes it. */
async function mapped(taskType: keyof typeof falEngines, request: object, derived = {}) {
  const contract = Object.values(generateContracts).find((candidate) => candidate.taskType === taskType);
  const body = contract?.body.parse(request) as Record<string, unknown>;
  const routes: readonly EngineRoute[] = falEngines[taskType].routes;
  const chosen = await chooseRoute(untroubled, routes, body, { taskType, accountId: 'anyone' });
  if (chosen.status !== 'chosen') return chosen.status;
  const { model, input } = chosen.route;
  return [model, await mapInput(input ?? '', { ...body, ...derived })] as const;
}

const imageUrl = 'https://example.com/a.png';
const other = 'https://example.com/b.png';

test('words become a prompt, a ratio and a number of pictures; what was not given is left out', async () => {
  expect(await mapped('image', { prompt: 'um farol', aspectRatio: '16:9', numImages: 3 })).toEqual([
    'fal-ai/nano-banana-2',
    { prompt: 'um farol', aspect_ratio: '16:9', num_images: 3, output_format: 'png' },
  ]);
  expect(await mapped('image', { prompt: 'um farol', negativePrompt: 'gente', seed: 7 })).toEqual([
    'fal-ai/nano-banana-2',
    {
      prompt: 'um farol\n\nDo not show: gente',
      aspect_ratio: '1:1',
      num_images: 1,
      seed: 7,
      output_format: 'png',
    },
  ]);
});

test.for(falEngines.image.routes)('what a picture must not show is told to $model', async ({ model, input }) => {
  const body = { prompt: 'um farol', aspectRatio: '1:1', numImages: 1 };
  const told = async (words: object) => ((await mapInput(input, { ...body, ...words })) as { prompt: string }).prompt;
  expect([model, await told({ negativePrompt: 'gente' })]).toEqual([model, 'um farol\n\nDo not show: gente']);
  for (const words of [{}, { negativePrompt: '' }]) expect(await told(words)).toBe('um farol');
});

describe('an edit', () => {
  test('names the picture alone as a list', async () => {
    expect(await mapped('image-edit', { imageUrl, prompt: 'mais claro' })).toEqual([
      'fal-ai/nano-banana-2/edit',
      { prompt: 'mais claro', image_urls: [imageUrl], aspect_ratio: 'auto', num_images: 1, output_format: 'png' },
    ]);
  });

  test('names the mask second and says what it is, then what to go by', async () => {
    const request = { imageUrl, prompt: 'mais claro', maskUrl: other, referenceImages: [imageUrl, other] };
    expect(await mapped('image-edit', request)).toMatchObject([
      'fal-ai/nano-banana-2/edit',
      { prompt: expect.stringMatching(/^mais claro\n\n.*mask/), image_urls: [imageUrl, other, imageUrl, other] },
    ]);
  });
});

test('a person is put into a scene by both pictures, with and without words', async () => {
  const request = { imageUrl, characterImage: other };
  for (const words of [{}, { prompt: 'sorrindo' }]) {
    expect(await mapped('character-replace', { ...request, ...words })).toMatchObject([
      'fal-ai/nano-banana-pro/edit',
      { prompt: expect.stringContaining(words.prompt ?? ''), image_urls: [imageUrl, other] },
    ]);
  }
});

test('a background is taken away in the format asked for; a colour is nothing that the model can do', async () => {
  expect(await mapped('background-remove', { imageUrl, format: 'webp' })).toMatchObject([
    'fal-ai/birefnet/v2',
    { image_url: imageUrl, output_format: 'webp' },
  ]);
  expect(await mapped('background-remove', { imageUrl, background: '#ffffff' })).toBe('unsupported');
});

test.for([2, 4])('a picture is made %i times as large', async (scale) => {
  expect(await mapped('image-upscale', { imageUrl, scale })).toMatchObject([
    'fal-ai/seedvr/upscale/image',
    { image_url: imageUrl, upscale_mode: 'factor', upscale_factor: scale },
  ]);
});

test('an influencer is described in words, and goes by pictures when there are some', async () => {
  const request = { name: 'Ana', description: 'chef, sorridente', gender: 'feminino', ageRange: '26-35' };
  expect(await mapped('influencer', request)).toEqual([
    'fal-ai/nano-banana-pro',
    {
      prompt: expect.stringMatching(/chef, sorridente Gender: female\. Age: 26-35 years\./),
      aspect_ratio: '3:4',
      num_images: 1,
      output_format: 'png',
    },
  ]);
  const without = await mapped('influencer', { name: 'Ana', description: 'chef', referenceImages: [] });
  expect(without).toMatchObject(['fal-ai/nano-banana-pro', { prompt: expect.not.stringContaining('given images') }]);
  expect(await mapped('influencer', { name: 'Ana', description: 'chef', referenceImages: [imageUrl] })).toMatchObject([
    'fal-ai/nano-banana-pro/edit',
    { image_urls: [imageUrl] },
  ]);
});

describe('skin', () => {
  const prompt = async (levels: object) => {
    const [, input] = await mapped('skin-enhance', { imageUrl, ...levels }, { aspectRatio: '3:4' });
    return (input as { prompt: string }).prompt;
  };

  test('is enhanced by words for each level, in the picture’s own ratio', async () => {
    expect(await mapped('skin-enhance', { imageUrl }, { aspectRatio: '3:4' })).toMatchObject([
      'fal-ai/nano-banana-2/edit',
      { image_urls: [imageUrl], aspect_ratio: '3:4', num_images: 1 },
    ]);
    const [none, some, much] = await Promise.all([0, 50, 100].map((textureLevel) => prompt({ textureLevel })));
    expect(new Set([none, some, much]).size).toBe(3);
    expect(none).toContain('Add no texture');
    const [noPores, manyPores] = await Promise.all([0, 100].map((poresDetail) => prompt({ poresDetail })));
    expect(noPores).toContain('Do not add pores');
    expect(manyPores).toContain('clearly visible');
  });

  test('keeps its light unless it is to be evened out', async () => {
    expect(await prompt({ lightingFix: false })).toContain('Do not change the light');
    expect(await prompt({ lightingFix: true })).toContain('Even out');
  });
});

test('text is spoken by each voice under the name that the model knows, and not by the id of a voice', async () => {
  for (const voice of voiceSlugs) {
    expect(await mapped('voice', { text: 'Olá', voice, stability: 0.2, similarityBoost: 1 })).toEqual([
      'fal-ai/elevenlabs/tts/multilingual-v2',
      {
        text: 'Olá',
        voice: `${voice.slice(0, 1).toUpperCase()}${voice.slice(1)}`,
        stability: 0.2,
        similarity_boost: 1,
      },
    ]);
  }
  expect(await mapped('voice', { text: 'Olá', voice: 'aria', voiceId: 'abc' })).toBe('unsupported');
});

test('every operation has a way to be made', () => {
  const taskTypes = Object.values(generateContracts).map(({ taskType }) => taskType);
  expect(Object.keys(falEngines).toSorted()).toEqual(taskTypes.toSorted());
});
