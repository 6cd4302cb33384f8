/** What the fake of fal.ai has the offline engine make: told by the very inputs that the catalog writes for fal.ai. */
import { describe, expect, it } from 'vitest';
import { offlineOrderOf } from '../../../../../infra/local/sandboxes/fal/offline-order.ts';
import { falEngines } from '../../../../../shared/catalog/fal-engines.ts';
import { mapInput } from '../../../../../shared/platform/map-input.ts';

const url = 'https://example.com/a.png';
const other = 'https://example.com/b.png';

const orderOf = async (operation: keyof typeof falEngines, body: Readonly<Record<string, unknown>>, route = 0) => {
  const { model = '', input = '' } = falEngines[operation].routes[route] ?? {};
  return offlineOrderOf(model, await mapInput(input, body));
};

describe('what the service asks fal.ai for, the offline engine makes', () => {
  it('pictures from words, of the shape, number and seed asked for', async () => {
    const body = { prompt: 'a lighthouse', aspectRatio: '21:9', numImages: 3, seed: 7 };
    expect(await orderOf('image', body)).toEqual({ operation: 'image', input: body });
  });

  it('an edit, with references', async () => {
    const body = { imageUrl: url, prompt: 'brighter', referenceImages: [other] };
    expect(await orderOf('image-edit', body)).toEqual({ operation: 'image-edit', input: body });
  });

  it('an edit with a mask, which is no reference', async () => {
    const order = await orderOf('image-edit', { imageUrl: url, prompt: 'brighter', maskUrl: other });
    expect(order).toMatchObject({
      operation: 'image-edit',
      input: { imageUrl: url, maskUrl: other, referenceImages: [] },
    });
  });

  it('skin, though it is asked for as an edit', async () => {
    const body = { imageUrl: url, textureLevel: 80, poresDetail: 10, lightingFix: true, aspectRatio: '1:1' };
    expect(await orderOf('skin-enhance', body)).toEqual({
      operation: 'skin-enhance',
      input: { imageUrl: url, textureLevel: 50, poresDetail: 50 },
    });
  });

  it('another person in a scene', async () => {
    const body = { imageUrl: url, characterImage: other };
    expect(await orderOf('character-replace', body)).toEqual({ operation: 'character-replace', input: body });
  });

  it('a cut-out in the format asked for', async () => {
    const body = { imageUrl: url, format: 'webp' };
    expect(await orderOf('background-remove', body)).toEqual({ operation: 'background-remove', input: body });
  });

  it.each([0, 1])('an upscale, by route %i', async (route) => {
    const body = { imageUrl: url, scale: 4 };
    expect(await orderOf('image-upscale', body, route)).toEqual({ operation: 'image-upscale', input: body });
  });

  it('a made-up person, whose traits are read from the words', async () => {
    const body = { description: 'Red hair, glasses', gender: 'feminino', ageRange: '51+', aspectRatio: '3:4' };
    const order = { operation: 'influencer', input: { name: 'Influencer', ...body, referenceImages: [] } };
    expect(await orderOf('influencer', body)).toMatchObject({
      ...order,
      input: { ...order.input, description: expect.stringMatching(/^Red hair, glasses/) },
    });
  });

  it('a made-up person by two references, and not one in place of the other', async () => {
    const body = { description: 'Glasses', gender: 'auto', referenceImages: [url, other], aspectRatio: '3:4' };
    expect(await orderOf('influencer', body, 1)).toEqual({
      operation: 'influencer',
      input: { name: 'Influencer', description: 'Glasses', referenceImages: [url, other], aspectRatio: '3:4' },
    });
  });
});

it.each([
  ['a model that it can not stand in for', 'fal-ai/flux-2-pro', { prompt: 'a lighthouse' }],
  ['a model nobody knows', 'toString', {}],
  ['a format that it does not write', 'fal-ai/birefnet/v2', { image_url: url, output_format: 'gif' }],
  ['a size that it does not reach', 'fal-ai/esrgan', { image_url: url, scale: 3 }],
  ['three images', 'fal-ai/nano-banana-pro/edit', { prompt: 'x', image_urls: [url, url, url] }],
])('leaves to plain pictures: %s', (_, endpoint, input) => {
  expect(offlineOrderOf(endpoint, input)).toBeUndefined();
});
