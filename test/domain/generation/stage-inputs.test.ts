/** Copies of the pictures that a request names, and which of them no engine is given. */
import { expect, test } from 'vitest';
import { imageContracts } from '../../../shared/contracts/generate-images.ts';
import { stageInputs } from '../../../shared/domain/generation/stage-inputs.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { tinyPng } from '../../support/tiny-picture.ts';

const imageUrl = 'https://example.com/a.png';
const copied = 'https://inputs.example/a.png';

const task = (taskType: Task['taskType'], input: Task['input']): Task => ({
  taskId: 'task-1',
  accountId: 'account-1',
  tokenId: 'token-1',
  taskType,
  status: 'pending',
  progress: 0,
  cost: 2,
  input,
  engine: 'fal',
  createdAt: 0,
  deadlineAt: 1,
  resultsSecret: 'secret',
});

/** What becomes of a task whose picture has such dimensions, and what was kept for it. */
async function staged(of: Task, width: number, height: number) {
  const kept: string[] = [];
  const inputs = {
    write: async (key: string) => kept.push(key),
    addressOf: async () => copied,
  };
  const body = tinyPng(width, height, { width: 1, height: 1 });
  const outbound = { fetch: async () => ({ status: 200, headers: {}, body }), admits: async () => true };
  return { input: await stageInputs({ inputs, outbound }, of), kept };
}

test.for([
  [2, 4000, 4000],
  [2, 16_000, 1000],
  [4, 2000, 2000],
] as const)(
  'a picture that has 64 megapixels at %i times its size is given to the engine',
  async ([scale, width, height]) => {
    const { input, kept } = await staged(task('image-upscale', { imageUrl, scale }), width, height);
    expect(input).toEqual({ imageUrl: copied, scale });
    expect(kept).toHaveLength(1);
  },
);

test.for([
  [2, 4001, 4000],
  [2, 7000, 7000],
  [4, 2000, 2001],
  [4, 4000, 3000],
] as const)(
  'a picture that would have more at %i times its size is refused and not kept',
  async ([scale, width, height]) => {
    expect(await staged(task('image-upscale', { imageUrl, scale }), width, height)).toEqual({
      input: 'INPUT_INVALID',
      kept: [],
    });
  },
);

test('a picture that is not to be enlarged may have 50 megapixels', async () => {
  const { input } = await staged(task('background-remove', { imageUrl, format: 'png' }), 10_000, 5000);
  expect(input).toEqual({ imageUrl: copied, format: 'png' });
});

test('the limit of an enlarged picture is told to whoever asks for one', () => {
  expect(imageContracts.upscaleImage.description).toContain(
    'more than 64 megapixels fails the task with INPUT_INVALID',
  );
});
