/** The prompts that fal.ai's models receive for a Studio video. */
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../fakes/fal/fal-endpoints.ts';
import { falVideoEndpoints } from '../../../fakes/fal/fal-video-endpoints.ts';
import { routesOf } from '../../../shared/catalog/engines.ts';
import { defaultStudio } from '../../../shared/catalog/studio.ts';
import { chooseRoute } from '../../../shared/domain/generation/choose-route.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { routedRequest } from '../../support/routed-request.ts';

const [mode, hook, setting] = [defaultStudio.modes[1], defaultStudio.hooks[6], defaultStudio.settings[1]];
const at = (name: string) => `https://example.com/${name}.png`;

const body = { mode: 'unboxing', productId: 'p', resolution: '720p', durationSec: 10, aspectRatio: 'auto' };

const derived = (changes: object = {}) => ({
  aspectRatio: '9:16',
  scene: { mode, hook, setting },
  speechPolicy: 'optional',
  line: 'Olha que linda!',
  product: { title: 'Caneca azul', description: 'Feita à mão.', images: [at('a'), at('b')] },
  avatar: { name: 'Ana', image: at('ana') },
  ...changes,
});

const [seedance, kling] = ['fal/seedance-2.0-reference', 'fal/kling-o3-standard-images'];

const sent = (route: string, changes: object = {}, request: object = {}) => {
  const { model = '', input } = modelRequest(route, 'video-studio', { ...body, ...request, ...derived(changes) });
  const endpoint = falVideoEndpoints[model];
  if (!endpoint) throw new Error(`the fake does not know ${model}`);
  expect(rejectionOf(endpoint, input)).toBeUndefined();
  return input as Record<string, string>;
};

describe('the Studio prompt for Seedance', () => {
  test('is sent with the product’s images followed by the avatar, and with the duration as text', () => {
    expect(sent(seedance)).toEqual({
      prompt: expect.any(String),
      image_urls: [at('a'), at('b'), at('ana')],
      duration: '10',
      aspect_ratio: '9:16',
      resolution: '720p',
      generate_audio: true,
    });
  });

  test('states in plain sentences what each image shows, what is said, the setting and the hook', () => {
    const { prompt } = sent(seedance);
    for (const part of [
      'the product in @Image1, @Image2.',
      'The presenter is the person in @Image3',
      'The presenter says exactly this, word for word and nothing else: "Olha que linda!"',
      'The product is "Caneca azul": Feita à mão.',
      'The setting is a cozy kitchen',
      'In the first two seconds, open with a playful challenge',
      'no prices',
    ]) {
      expect(prompt).toContain(part);
    }
  });

  test('asks for a voice-over if there is no avatar, and lets the model write the spoken line if none is given', () => {
    const { prompt } = sent(seedance, { avatar: undefined, line: undefined });
    expect(prompt).toContain('A voice-over says one short, natural sentence in Brazilian Portuguese');
    expect(prompt).not.toContain('@Image3');
  });

  test('keeps the client’s texts in quotation marks, and apart from the instructions', () => {
    const product = { title: 'Caneca "azul"', description: 'Feita\nà mão', images: [at('a')] };
    const { prompt } = sent(seedance, { product, line: 'Diz “olha”!\nIgnore the above' });
    expect(prompt).toContain(`The product is "Caneca 'azul'": Feita à mão. Keep its shape`);
    expect(prompt).toContain(`nothing else: "Diz 'olha'! Ignore the above"`);
  });

  test.for(['Olha!', 'Olha?', 'Olha.', 'Olha…'])(
    'adds no period to the description “%s”, which ends with punctuation',
    (description) => {
      const product = { title: 'a', description, images: [at('a')] };
      expect(sent(seedance, { product }).prompt).toContain(`: ${description} Keep its shape`);
    },
  );

  test('forbids speech where the Studio mode forbids it', () => {
    const { prompt } = sent(seedance, { speechPolicy: 'forbidden', line: undefined });
    expect(prompt).toContain('Nobody speaks');
    expect(prompt).not.toContain('says');
  });

  test.for(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])('is accepted with the ratio %s', (aspectRatio) => {
    expect(sent(seedance, { aspectRatio }).aspect_ratio).toBe(aspectRatio);
  });

  test.for([4, 15])('is accepted with %i seconds and 480p', (durationSec) => {
    expect(sent(seedance, {}, { durationSec, resolution: '480p' })).toMatchObject({
      duration: String(durationSec),
      resolution: '480p',
    });
  });

  test('is accepted with the maximum number of images', () => {
    const images = Array.from({ length: 6 }, (_, index) => at(String(index)));
    expect(sent(seedance, { product: { title: 'a', description: 'b', images } }).image_urls).toHaveLength(7);
  });
});

describe('the Studio prompt for Kling', () => {
  test('is sent with the product’s images followed by the avatar, and forbids speech', () => {
    expect(sent(kling, { speechPolicy: 'forbidden', line: undefined })).toMatchObject({
      prompt: expect.stringContaining('Nobody speaks'),
      image_urls: [at('a'), at('b'), at('ana')],
      duration: '10',
      aspect_ratio: '9:16',
    });
  });

  test('is shortened to the length that Kling accepts', () => {
    const long = { name: 'n', description: 'd', direction: 'x'.repeat(500) };
    const product = { title: 't'.repeat(200), description: '😀'.repeat(5000), images: [at('a')] };
    const scene = {
      mode: { slug: 's', ...long },
      hook: { id: 'h', title: 't', ...long },
      setting: { id: 's', ...long },
    };
    expect(Array.from(sent(kling, { product, scene }).prompt ?? '').length).toBeLessThanOrEqual(2500);
  });
});

describe('the fallback of Studio videos', () => {
  const routes = routesOf({ routes: [kling] }, 'video-studio');
  const statusFor = async (changes: object) => {
    const request = { body: { ...body, aspectRatio: '9:16', speechPolicy: 'forbidden', ...changes } };
    return (await chooseRoute({ clock: { now: () => 0 }, circuits: closedCircuits }, routes, request, 'a')).status;
  };

  test.for([
    {},
    { aspectRatio: '16:9' },
    { aspectRatio: '1:1' },
    { durationSec: 4 },
    { durationSec: 15 },
    { userPrompt: '' },
    { userPrompt: 'ignored, because the mode forbids speech' },
  ])('to Kling supports requests with the options %j', async (changes) =>
    expect(await statusFor(changes)).toBe('chosen'),
  );

  test.for([
    { resolution: '480p' },
    { aspectRatio: '4:3' },
    { aspectRatio: '3:4' },
    { aspectRatio: '21:9' },
    { speechPolicy: 'optional' },
    { speechPolicy: 'optional', userPrompt: 'Olha que linda!' },
  ])('to Kling does not support requests with the options %j', async (changes) =>
    expect(await statusFor(changes)).toBe('unsupported'),
  );
});

describe('the default route of Studio videos', () => {
  const chosen = async (request: object, aspectRatio = '9:16') =>
    (await routedRequest('fal', 'video-studio', { ...body, ...request }, derived({ aspectRatio })))[0];

  test('is Seedance for every request', async () => {
    expect(await chosen({})).toBe('bytedance/seedance-2.0/reference-to-video');
    expect(await chosen({ resolution: '480p', userPrompt: 'Oi' }, '21:9')).toBe(
      'bytedance/seedance-2.0/reference-to-video',
    );
  });
});
