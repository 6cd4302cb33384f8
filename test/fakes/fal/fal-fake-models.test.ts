import { afterEach, describe, expect, it, test } from 'vitest';
import { falAudioEndpoints } from '../../../fakes/fal/fal-audio-endpoints.ts';
import { falEndpoints } from '../../../fakes/fal/fal-endpoints.ts';
import { FalFault } from '../../../fakes/fal/fal-faults.ts';
import { falTranscriptionEndpoints } from '../../../fakes/fal/fal-transcription-endpoints.ts';
import { falVideoEndpoints } from '../../../fakes/fal/fal-video-endpoints.ts';
import { falVideoUtilities } from '../../../fakes/fal/fal-video-utilities.ts';
import { closeAll } from '../../engines/fal/fal-subject.ts';
import { endpoint, prompt, startFake } from './fake-subject.ts';

afterEach(closeAll);

describe('image models of the fal.ai fake', () => {
  const image = { image_url: 'https://example.com/a.png' };
  const images = { ...prompt, image_urls: [image.image_url] };
  const inputs: Readonly<Record<string, object>> = {
    'fal-ai/nano-banana-2': { ...prompt, aspect_ratio: '8:1', resolution: '0.5K', output_format: 'webp' },
    'fal-ai/nano-banana-2/edit': { ...images, aspect_ratio: 'auto' },
    'fal-ai/nano-banana-pro': { ...prompt, resolution: '4K' },
    'fal-ai/nano-banana-pro/edit': { ...images, num_images: 4 },
    'fal-ai/flux-2-pro': { ...prompt, image_size: { width: 512, height: 512 } },
    'fal-ai/flux-2-pro/edit': { ...images, image_size: 'auto' },
    'fal-ai/flux-pro/v1.1': { ...prompt, image_size: 'portrait_16_9', num_images: 4 },
    'fal-ai/birefnet/v2': { ...image, model: 'General Use (Dynamic)', operating_resolution: '2304x2304' },
    'fal-ai/bria/background/remove': { ...image, sync_mode: false },
    'fal-ai/seedvr/upscale/image': { ...image, upscale_mode: 'factor', upscale_factor: 4, output_format: 'jpg' },
    'fal-ai/esrgan': { ...image, scale: 4, model: 'RealESRGAN_x4plus' },
    'fal-ai/topaz/upscale/image': { ...image, model: 'Redefine', texture: 5, creativity: 1 },
  };

  test('are all covered by this file', () => {
    const ofVideos = Object.keys(falVideoEndpoints);
    const others = [falAudioEndpoints, falVideoUtilities, falTranscriptionEndpoints].flatMap(Object.keys);
    expect([...Object.keys(inputs), ...ofVideos, ...others]).toEqual(Object.keys(falEndpoints));
  });

  test.for(Object.entries(inputs))(
    'include %s, which accepts its documented fields and rejects a request without a required one',
    async ([model, input]) => {
      const { submit, result } = await startFake();
      const response = await result(await submit(input, { model }));
      expect(response.status).toBe(200);
      const content = (await response.json()) as { image?: unknown; images?: unknown[] };
      const files = content.images ?? [content.image];
      expect(files).toHaveLength('num_images' in input ? 4 : 1);
      expect(files[0]).toMatchObject({ url: expect.stringMatching(/\/files\//), content_type: expect.any(String) });

      const rejected = await result(await submit({}, { model }));
      expect(rejected.status).toBe(422);
      const { detail } = (await rejected.json()) as {
        detail: { type: string; loc: string[]; msg: string; url: string }[];
      };
      const required = ['prompt', 'image_url', 'image_urls'].filter((field) => field in input);
      expect(detail.map(({ type, loc }) => [type, loc.join('.')])).toEqual(
        expect.arrayContaining(required.map((field) => ['missing', `body.${field}`])),
      );
    },
  );

  it.each([
    [endpoint, { aspect_ratio: '21:9' }, { width: 128, height: 55 }],
    [endpoint, { aspect_ratio: 'auto' }, { width: 128, height: 128 }],
    ['fal-ai/flux-pro/v1.1', { image_size: 'portrait_4_3' }, { width: 96, height: 128 }],
    ['fal-ai/flux-pro/v1.1', { image_size: 'landscape_16_9' }, { width: 128, height: 72 }],
  ])('such as %s return plain images for %o of size %o', async (model, changes, size) => {
    const { submit, result } = await startFake();
    const response = await result(await submit({ ...prompt, ...changes }, { model }));
    expect(await response.json()).toMatchObject({ images: [size] });
  });

  it('generate images by the given function, whose errors become the request’s', async () => {
    const bytes = Buffer.from('an image');
    const { submit, result } = await startFake({
      make: async (model, input) => {
        if (input.prompt === 'broken') throw new FalFault('image_load_error');
        return [{ bytes, contentType: `image/png`, width: model.length }];
      },
    });
    const { images: files } = (await (await result(await submit(prompt))).json()) as { images: { url: string }[] };
    expect(files).toMatchObject([{ width: endpoint.length, file_size: bytes.length }]);
    expect(await (await fetch(files[0]?.url ?? '')).text()).toBe('an image');
    const broken = await result(await submit({ prompt: 'broken' }));
    expect([broken.status, await broken.json()]).toMatchObject([422, { detail: [{ type: 'image_load_error' }] }]);
  });
});
