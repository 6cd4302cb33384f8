/** The mapping of requests to fal.ai's models. */
import { describe, expect, test } from 'vitest';
import { choicesOf } from '../../../shared/catalog/engines.ts';
import { voiceSlugs } from '../../../shared/catalog/voices.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { falRoutes } from '../../../shared/engines/fal/fal-routes.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { routedRequest } from '../../support/routed-request.ts';
import { taskTypes } from '../../support/specified-generations.ts';

const sent = (taskType: TaskType, request: object, derived = {}) => routedRequest('fal', taskType, request, derived);

const imageUrl = 'https://example.com/a.png';
const other = 'https://example.com/b.png';

test('if only a fal.ai key is configured, every task type of the specification has a route', () => {
  const choices = choicesOf(['fal']);
  expect(taskTypes.filter((taskType) => choices[taskType].routes.length === 0)).toEqual([]);
});

test('the error for a route that does not support a task type names the route', () => {
  const request = () => modelRequest('fal/esrgan', 'voice', {});
  expect(request).toThrow('the route fal/esrgan does not support tasks of type voice');
  expect(() => modelRequest('fal/retired', 'voice', {})).toThrow('fal/retired');
});

describe('an image from fal.ai', () => {
  test('is requested with the prompt, aspect ratio and number of images, and with a seed only if one was given', async () => {
    expect(await sent('image', { prompt: 'um farol', aspectRatio: '16:9', numImages: 3 })).toEqual([
      'fal-ai/nano-banana-2',
      { prompt: 'um farol', aspect_ratio: '16:9', num_images: 3, output_format: 'png' },
    ]);
    expect(await sent('image', { prompt: 'um farol', seed: 7 })).toMatchObject(['fal-ai/nano-banana-2', { seed: 7 }]);
  });

  test.for(Object.keys(falRoutes).filter((id) => 'image' in falRoutes[id as keyof typeof falRoutes]))(
    'is requested from %s with the negative prompt as a part of the prompt',
    (route) => {
      const body = { prompt: 'um farol', aspectRatio: '1:1', numImages: 1 };
      const promptOf = (words: object) => modelRequest(route, 'image', { ...body, ...words }).input.prompt;
      expect(promptOf({ negativePrompt: 'gente' })).toBe('um farol\n\nDo not show: gente');
      for (const words of [{}, { negativePrompt: '' }]) expect(promptOf(words)).toBe('um farol');
    },
  );

  test('is requested from flux with a size instead of an aspect ratio', () => {
    const body = { prompt: 'um farol', aspectRatio: '3:4', numImages: 2 };
    expect(modelRequest('fal/flux-pro-v1.1', 'image', body)).toEqual({
      model: 'fal-ai/flux-pro/v1.1',
      input: { prompt: 'um farol', image_size: 'portrait_4_3', num_images: 2, output_format: 'png' },
    });
  });
});

describe('an image edit at fal.ai', () => {
  test('without a mask or reference images sends only the image that is edited', async () => {
    expect(await sent('image-edit', { imageUrl, prompt: 'mais claro' })).toEqual([
      'fal-ai/nano-banana-2/edit',
      { prompt: 'mais claro', image_urls: [imageUrl], aspect_ratio: 'auto', num_images: 1, output_format: 'png' },
    ]);
  });

  test('sends the mask as the second image and explains it in the prompt, followed by the reference images', async () => {
    const request = { imageUrl, prompt: 'mais claro', maskUrl: other, referenceImages: [imageUrl, other] };
    expect(await sent('image-edit', request)).toMatchObject([
      'fal-ai/nano-banana-2/edit',
      { prompt: expect.stringMatching(/^mais claro\n\n.*mask/), image_urls: [imageUrl, other, imageUrl, other] },
    ]);
  });
});

test('a character replacement at fal.ai sends both images, with and without a prompt', async () => {
  for (const words of [{}, { prompt: 'sorrindo' }]) {
    expect(await sent('character-replace', { imageUrl, characterImage: other, ...words })).toMatchObject([
      'fal-ai/nano-banana-pro/edit',
      { prompt: expect.stringContaining(words.prompt ?? ''), image_urls: [imageUrl, other] },
    ]);
  }
});

test('fal.ai removes a background in the requested format and does not support a background color', async () => {
  expect(await sent('background-remove', { imageUrl, format: 'webp' })).toMatchObject([
    'fal-ai/birefnet/v2',
    { image_url: imageUrl, output_format: 'webp' },
  ]);
  expect(await sent('background-remove', { imageUrl, background: '#ffffff' })).toBe('unsupported');
});

test.for([2, 4])('fal.ai upscales an image by a factor of %i', async (scale) => {
  expect(await sent('image-upscale', { imageUrl, scale })).toMatchObject([
    'fal-ai/seedvr/upscale/image',
    { image_url: imageUrl, upscale_mode: 'factor', upscale_factor: scale },
  ]);
  expect(modelRequest('fal/esrgan', 'image-upscale', { imageUrl, scale })).toEqual({
    model: 'fal-ai/esrgan',
    input: { image_url: imageUrl, scale },
  });
});

test('fal.ai generates an influencer from a prompt, with reference images for models that accept them', async () => {
  const request = { name: 'Ana', description: 'chef, sorridente', gender: 'feminino', ageRange: '26-35' };
  expect(await sent('influencer', request)).toEqual([
    'fal-ai/nano-banana-pro',
    {
      prompt: expect.stringMatching(/chef, sorridente Gender: female\. Age: 26-35 years\.$/),
      aspect_ratio: '3:4',
      num_images: 1,
      output_format: 'png',
    },
  ]);
  const without = await sent('influencer', { name: 'Ana', description: 'chef', referenceImages: [] });
  expect(without).toMatchObject(['fal-ai/nano-banana-pro', { prompt: expect.stringMatching(/influencer\. chef$/) }]);
  expect(await sent('influencer', { name: 'Ana', description: 'chef', referenceImages: [imageUrl] })).toMatchObject([
    'fal-ai/nano-banana-pro/edit',
    { prompt: expect.stringContaining('given images'), image_urls: [imageUrl], aspect_ratio: '3:4' },
  ]);
});

describe('skin enhancement at fal.ai', () => {
  const prompt = async (levels: object) => {
    const [, input] = await sent('skin-enhance', { imageUrl, ...levels }, { aspectRatio: '3:4' });
    return (input as { prompt: string }).prompt;
  };

  test('uses a prompt for each level, and keeps the aspect ratio of the image', async () => {
    expect(await sent('skin-enhance', { imageUrl }, { aspectRatio: '3:4' })).toMatchObject([
      'fal-ai/nano-banana-2/edit',
      { image_urls: [imageUrl], aspect_ratio: '3:4', num_images: 1 },
    ]);
    expect(await prompt({ textureLevel: 0 })).toContain('Add no texture');
    for (const textureLevel of [1, 50]) expect(await prompt({ textureLevel })).toContain('subtle');
    for (const textureLevel of [51, 100]) expect(await prompt({ textureLevel })).toContain('pronounced');
    expect(await prompt({ poresDetail: 0 })).toContain('Do not add pores');
    expect(await prompt({ poresDetail: 100 })).toContain('clearly visible');
  });

  test('keeps the lighting unless the request asks to even it out', async () => {
    expect(await prompt({ lightingFix: false })).toContain('Do not change the light');
    expect(await prompt({ lightingFix: true })).toContain('Even out');
  });
});

test.for([
  ['vendor-motion-2.6', '720p', 'v2.6/standard'],
  ['vendor-motion-2.6', '1080p', 'v2.6/pro'],
  ['vendor-motion-3.0', '720p', 'v3/standard'],
  ['vendor-motion-3.0', '1080p', 'v3/pro'],
])(
  'fal.ai transfers a motion with the model %s at %s through the endpoint %s, with the video’s duration and sound',
  async ([model, quality, path]) => {
    const motionVideo = 'https://example.com/dance.mp4';
    expect(await sent('video-imitate', { characterImage: imageUrl, motionVideo, model, quality })).toEqual([
      `fal-ai/kling-video/${path}/motion-control`,
      { image_url: imageUrl, video_url: motionVideo, character_orientation: 'video', keep_original_sound: true },
    ]);
  },
);

test('fal.ai speech uses the model’s name of the voice and does not support a voiceId', async () => {
  for (const voice of voiceSlugs) {
    expect(await sent('voice', { text: 'Olá', voice, stability: 0.2, similarityBoost: 1 })).toEqual([
      'fal-ai/elevenlabs/tts/multilingual-v2',
      {
        text: 'Olá',
        voice: `${voice.slice(0, 1).toUpperCase()}${voice.slice(1)}`,
        stability: 0.2,
        similarity_boost: 1,
      },
    ]);
  }
  expect(await sent('voice', { text: 'Olá', voice: 'aria', voiceId: 'abc' })).toBe('unsupported');
});

test('fal.ai voice change uses the model’s name of the voice, with or without noise removal', async () => {
  const audioUrl = 'https://example.com/a.mp3';
  const request = { audioUrl, voice: 'george', stability: 0.2, similarityBoost: 1, removeNoise: true };
  expect(await sent('voice-change', request, { durationSec: 3 })).toEqual([
    'fal-ai/elevenlabs/voice-changer',
    { audio_url: audioUrl, voice: 'George', remove_background_noise: true, output_format: 'mp3_44100_128' },
  ]);
  expect(await sent('voice-change', { ...request, voiceId: 'abc' }, { durationSec: 3 })).toBe('unsupported');
});
