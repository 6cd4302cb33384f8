/** The mapping of video requests to fal.ai's models, and which models accept a request. */
import { describe, expect, test } from 'vitest';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { routedRequest } from '../../support/routed-request.ts';

const imageUrl = 'https://example.com/a.png';
const lastImageUrl = 'https://example.com/b.png';

describe('a creative video from fal.ai', () => {
  const sent = (request: object) => routedRequest('fal', 'video-creative', { prompt: 'um farol', ...request });
  const video = { prompt: 'um farol', duration: '5', aspect_ratio: '9:16', resolution: '720p', generate_audio: true };

  test('is requested with the prompt, duration, aspect ratio, resolution and sound setting', async () => {
    expect(await sent({})).toEqual(['bytedance/seedance-2.0/text-to-video', video]);
    const request = { durationSec: 10, aspectRatio: '1:1', resolution: '480p', audio: false };
    expect(await sent(request)).toEqual([
      'bytedance/seedance-2.0/text-to-video',
      { prompt: 'um farol', duration: '10', aspect_ratio: '1:1', resolution: '480p', generate_audio: false },
    ]);
  });

  test('begins and ends with the given frames', async () => {
    const model = 'bytedance/seedance-2.0/image-to-video';
    expect(await sent({ imageUrl })).toEqual([model, { ...video, image_url: imageUrl }]);
    expect(await sent({ imageUrl, lastImageUrl })).toEqual([
      model,
      { ...video, image_url: imageUrl, end_image_url: lastImageUrl },
    ]);
  });

  test.for([
    ['fal/kling-o3-standard-text', '720p', {}, 'fal-ai/kling-video/o3/standard/text-to-video'],
    ['fal/kling-o3-pro-text', '1080p', {}, 'fal-ai/kling-video/o3/pro/text-to-video'],
    [
      'fal/kling-o3-standard-reference',
      '720p',
      { imageUrl, lastImageUrl },
      'fal-ai/kling-video/o3/standard/reference-to-video',
    ],
    ['fal/kling-o3-pro-reference', '1080p', { imageUrl }, 'fal-ai/kling-video/o3/pro/reference-to-video'],
  ] as const)(
    'is requested from %s without a resolution, and with the names that Kling uses for its frames',
    ([route, resolution, frames, model]) => {
      const body = { prompt: 'um farol', durationSec: 7, aspectRatio: '16:9', resolution, audio: true, ...frames };
      const { input, ...rest } = modelRequest(route, 'video-creative', body);
      expect(rest).toEqual({ model });
      expect(JSON.parse(JSON.stringify(input))).toEqual({
        prompt: 'um farol',
        duration: '7',
        aspect_ratio: '16:9',
        generate_audio: true,
        ...('imageUrl' in frames && { start_image_url: imageUrl }),
        ...('lastImageUrl' in frames && { end_image_url: lastImageUrl }),
      });
    },
  );
});
