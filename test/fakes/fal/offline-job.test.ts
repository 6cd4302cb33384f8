import { describe, expect, it } from 'vitest';
import { offlineJobFor } from '../../../fakes/fal/offline-job.ts';

const url = 'https://example.com/a.png';
const other = 'https://example.com/b.png';

describe('in the fal.ai fake, the offline engine replaces a model', () => {
  it.each(['fal-ai/nano-banana-2', 'fal-ai/nano-banana-pro', 'fal-ai/flux-2-pro'])(
    'that generates images, with the requested aspect ratio, number and seed: %s',
    (endpoint) => {
      const input = { prompt: 'a lighthouse', aspect_ratio: '21:9', num_images: 3, seed: 7, output_format: 'png' };
      expect(offlineJobFor(endpoint, input)).toEqual({
        operation: 'image',
        input: { prompt: 'a lighthouse', aspectRatio: '21:9', numImages: 3, seed: 7 },
      });
    },
  );

  it.each([
    ['landscape_16_9', '16:9'],
    ['portrait_4_3', '3:4'],
    ['square_hd', '1:1'],
  ])('with a preset size, %s', (preset, aspectRatio) => {
    const job = offlineJobFor('fal-ai/flux-pro/v1.1', { prompt: 'a lighthouse', image_size: preset });
    expect(job?.input).toEqual({ prompt: 'a lighthouse', aspectRatio, numImages: 1 });
  });

  it('that edits the first image, with at most four others as references', () => {
    const input = { prompt: 'brighter', image_urls: [url, other, other, other, other, other], aspect_ratio: 'auto' };
    expect(offlineJobFor('fal-ai/nano-banana-2/edit', input)).toEqual({
      operation: 'image-edit',
      input: { imageUrl: url, prompt: 'brighter', referenceImages: [other, other, other, other] },
    });
  });

  it('that removes a background, in the requested format', () => {
    expect(offlineJobFor('fal-ai/birefnet/v2', { image_url: url, output_format: 'webp' })).toEqual({
      operation: 'background-remove',
      input: { imageUrl: url, format: 'webp' },
    });
  });

  it.each([
    ['bytedance/seedance-2.0/image-to-video', { image_url: url, end_image_url: other, resolution: '480p' }, '480p'],
    ['fal-ai/kling-video/o3/standard/reference-to-video', { start_image_url: url, end_image_url: other }, '720p'],
    ['fal-ai/kling-video/o3/pro/reference-to-video', { start_image_url: url, end_image_url: other }, '1080p'],
  ])('that generates a video with its frames: %s', (endpoint, given, resolution) => {
    const input = { prompt: 'a lighthouse', duration: '6', aspect_ratio: '1:1', generate_audio: false, ...given };
    const video = { durationSec: 6, aspectRatio: '1:1', resolution, audio: false };
    expect(offlineJobFor(endpoint, input)).toEqual({
      operation: 'video-creative',
      input: { prompt: 'a lighthouse', ...video, imageUrl: url, lastImageUrl: other },
    });
  });

  it.each([
    ['fal-ai/seedvr/upscale/image', { upscale_factor: 4 }, 4],
    ['fal-ai/seedvr/upscale/image', {}, 2],
    ['fal-ai/esrgan', { scale: 4 }, 4],
  ])('that upscales: %s %o', (endpoint, given, scale) => {
    expect(offlineJobFor(endpoint, { image_url: url, ...given })).toEqual({
      operation: 'image-upscale',
      input: { imageUrl: url, scale },
    });
  });
});

it.each([
  ['an unknown model', 'toString', {}],
  ['a format that the offline engine does not write', 'fal-ai/birefnet/v2', { image_url: url, output_format: 'gif' }],
  ['a size that it does not support', 'fal-ai/esrgan', { image_url: url, scale: 3 }],
  ['a video of 15 seconds', 'bytedance/seedance-2.0/text-to-video', { duration: '15', aspect_ratio: '1:1' }],
  [
    'a video of a shape that it does not have',
    'bytedance/seedance-2.0/text-to-video',
    { duration: '8', aspect_ratio: '21:9' },
  ],
])('the fal.ai fake uses plain files instead of the offline engine for %s', (_, endpoint, input) => {
  expect(offlineJobFor(endpoint, input)).toBeUndefined();
});
