/** Input files that a route’s model does not accept are rejected before they reach the engine. */
import { describe, expect, test } from 'vitest';
import { allRoutesOf } from '../../../shared/catalog/engines.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { OutboundFailed } from '../../../shared/platform/safe-fetch.ts';
import { tinyPng, tinyWebp } from '../../support/tiny-image.ts';
import { imageUrl, staged, task } from './staged-inputs.ts';

describe('the input limits of a route’s model', () => {
  const scene = (name: 'product' | 'avatar') => ({
    product: { title: 'a', description: 'b', images: name === 'product' ? [imageUrl] : [] },
    ...(name === 'avatar' && { avatar: { name: 'Ana', image: imageUrl } }),
  });
  const png = (width: number, height: number) => tinyPng(width, height, { width: 1, height: 1 });
  const small = png(299, 400);
  const limitedScopes = png(400, 1001);
  const creative = { imageUrl };
  const sideProblem = 'must be at least 300 pixels per side and at most 50 megapixels and 16384 pixels per side';
  const ends = { imageUrl: undefined, lastImageUrl: imageUrl };

  test.for<[string, string, string, Partial<Task>, Buffer]>([
    ['imageUrl', 'fal/seedance-2.0-image', sideProblem, { input: creative }, small],
    [
      'lastImageUrl',
      'fal/seedance-2.0-image',
      'must have an aspect ratio between 1:2.5 and 2.5:1',
      { input: ends },
      limitedScopes,
    ],
    [
      'imageUrl',
      'fal/kling-o3-standard-reference',
      'must be a JPEG or PNG file, not WebP',
      { input: creative },
      tinyWebp,
    ],
    ['lastImageUrl', 'fal/kling-o3-pro-reference', sideProblem, { input: ends }, small],
    ['avatar.image', 'fal/seedance-2.0-reference', sideProblem, { derived: scene('avatar') }, small],
    [
      'product.images[0]',
      'fal/kling-o3-standard-images',
      'must be a JPEG or PNG file, not WebP',
      { derived: scene('product') },
      tinyWebp,
    ],
  ])('apply to the field %s on the route %s', async ([field, route, problem, changes, bytes]) => {
    const taskType = taskTypes.find((type) => allRoutesOf(type).some(({ id }) => id === route)) ?? 'image';
    const { result, stored } = await staged({ ...task(taskType, {}), ...changes, route }, 1, 1, { parts: [bytes] });
    expect(result).toEqual({ status: 'failed', code: 'INPUT_INVALID', detail: `${field} ${problem}` });
    expect(stored).toEqual([]);
  });

  test('include the number of bytes that are read from the input file', async () => {
    const ugc = { ...task('video-ugc', { combinedImages: [imageUrl] }), route: 'fal/veo-3.1-fast' };
    const { result, requests } = await staged(ugc, 400, 400, { end: new OutboundFailed('too-large') });
    expect(result).toMatchObject({ code: 'INPUT_INVALID', detail: 'combinedImages[0] must be at most 8 MB' });
    expect(requests.map(([, { maxResponseBytes }]) => maxResponseBytes)).toEqual([8 * 2 ** 20]);
  });
});
