import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { imageOf, pipelineOf } from '../../../offline-engine/image/image.ts';

/** A transparent pixel and one that is half transparent. */
const pixels = Uint8Array.of(200, 100, 50, 0, 10, 20, 30, 128);
const image = { width: 2, height: 1, pixels, hasAlpha: true };

const gray = [128, 128, 128, 0, 19, 19, 19, 128];
const red = [200, 200, 200, 255, 10, 10, 10, 255];

test.each<[string, number[], (pipeline: Sharp) => Sharp]>([
  ['in color', [...pixels], (pipeline) => pipeline],
  ['in shades of gray', gray, (pipeline) => pipeline.grayscale()],
  ['of one color channel', red, (pipeline) => pipeline.extractChannel('red')],
])('an image %s is read with four bytes per pixel, and can be processed further', async (_what, expected, change) => {
  const changed = await imageOf(change(pipelineOf(image)), true);
  expect([...changed.pixels]).toEqual(expected);
  expect(await imageOf(pipelineOf(changed), true)).toEqual(changed);
});
