import { stageInputs } from '../../../shared/domain/generation/stage-inputs.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { Bucket } from '../../../shared/platform/bucket.ts';
import { servedFile } from '../../support/served-file.ts';
import { tinyPng } from '../../support/tiny-image.ts';

export const imageUrl = 'https://example.com/a.png';
export const copied = 'https://inputs.example';

export const task = (taskType: Task['taskType'], input: Task['input']): Task => ({
  taskId: 'task-1',
  accountId: 'account-1',
  tokenId: 'token-1',
  taskType,
  status: 'pending',
  progress: 0,
  cost: 2,
  input,
  engine: 'fal',
  route: 'fal/nano-banana-2',
  createdAt: 0,
  deadlineAt: 1,
  resultsSecret: 'secret',
});

export const clock = { now: () => 0 };

export const uncopied = { keys: undefined, record: async () => undefined };

/** The outcome of a task whose image has these dimensions, and the files stored for it. */
export async function staged(
  of: Task,
  width: number,
  height: number,
  more: Partial<Parameters<typeof servedFile>[0]> = {},
) {
  const stored: (readonly [string, string, Buffer])[] = [];
  const inputs: Bucket = {
    write: async (key, { body, contentType }) => {
      const bytes = Buffer.concat(await Array.fromAsync(body));
      stored.push([key, contentType, bytes]);
      return bytes.length;
    },
    addressOf: async (key) => `${copied}/${key}`,
  };
  const file = servedFile({ parts: [tinyPng(width, height, { width: 1, height: 1 })], ...more });
  return { result: await stageInputs({ clock, inputs, outbound: file.outbound }, of, uncopied), stored, ...file };
}
