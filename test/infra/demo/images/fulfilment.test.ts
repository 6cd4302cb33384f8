import { describe, expect, it } from 'vitest';
import { type Made, problemsOfFulfilment } from '../../../../infra/demo/images/fulfilment.ts';
import type { ImageOperation } from '../../../../infra/demo/images/image-requests.ts';
import type { Pixels } from '../../../../infra/demo/images/pixels.ts';
import { tasksContracts } from '../../../../shared/contracts/tasks.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const white: Colour = [255, 255, 255, 255];
const grey: Colour = [128, 128, 128, 255];
const nothing: Colour = [0, 0, 0, 0];

/** An image whose left part, with the given share, has another color. */
const image = (width: number, height: number, colour = white, share = 0, other = grey): Pixels => ({
  width,
  height,
  rgba: Uint8Array.from(
    Array.from({ length: width * height }, (_, index) => ((index % width) / width < share ? other : colour)).flat(),
  ),
});

const sample = image(100, 50);
const task = { ...tasksContracts.getTask.example.data, results: [] };
const portrait = { ...task, influencerId: task.id };

const judged = (operation: ImageOperation, results: readonly Pixels[], changes: Partial<Made> = {}) =>
  problemsOfFulfilment(operation, { task, inputs: [sample], results, ...changes });

describe('a result that matches the request', () => {
  it.each<[ImageOperation, readonly Pixels[], Partial<Made>?]>([
    ['image', [image(160, 90), image(160, 90, grey)]],
    ['image-edit', [image(100, 50, grey)]],
    ['character-replace', [image(100, 50, white, 0.4)]],
    ['background-remove', [image(100, 50, white, 0.4, nothing)]],
    ['image-upscale', [image(200, 100)]],
    ['influencer', [image(30, 40)], { task: portrait }],
    ['skin-enhance', [image(100, 50, white, 0.1)]],
  ])('is accepted for %s', (operation, results, changes) => {
    expect(judged(operation, results, changes)).toEqual([]);
  });
});

describe('a result that does not match the request', () => {
  it.each<[string, ImageOperation, readonly Pixels[], string]>([
    ['no result', 'image-edit', [], 'image-edit has no result'],
    ['one image of two', 'image', [image(160, 90)], 'image does not consist of two images'],
    ['the same image twice', 'image', [image(160, 90), image(160, 90)], 'image consists of the same image twice'],
    ['another shape', 'image', [image(90, 90), image(90, 90, grey)], 'image does not have the aspect ratio 16:9'],
    ['an edit that changed nothing', 'image-edit', [sample], 'image-edit has 0.0% of its pixels changed'],
    ['an edit of another size', 'image-edit', [image(9, 9)], 'image-edit does not have the size of its sample'],
    ['an untouched scene', 'character-replace', [sample], 'character-replace has 0.0% of its pixels changed'],
    ['a background that was not removed', 'background-remove', [sample], 'background-remove still has its background'],
    ['nothing at all', 'background-remove', [image(100, 50, nothing)], 'background-remove has lost its subject'],
    ['the old size', 'image-upscale', [sample], 'image-upscale is not twice as wide and high as its sample'],
    ['a portrait without an influencer', 'influencer', [image(30, 40)], 'influencer has no influencerId'],
    ['more than skin', 'skin-enhance', [image(100, 50, grey)], 'skin-enhance has 100.0% of its pixels changed'],
  ])('is detected: %s', (_name, operation, results, problem) => {
    expect(judged(operation, results)).toEqual([problem]);
  });
});
