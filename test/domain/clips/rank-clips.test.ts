/** What is checked in the transcript of a video before clips are planned. */
import { expect, test } from 'vitest';
import { rankClips } from '../../../functions/workflow/rank-clips.ts';

const source = { bytes: 1000, durationSec: 60, width: 640, height: 360, framesPerSecond: 25, hasSound: true };
const task = {
  taskId: 'task-1',
  taskType: 'cortes',
  status: 'processing',
  route: 'clips/fal',
  input: { videoUrl: 'https://example.com/a.mp4', aspectRatio: '9:16' },
  derived: { seconds: 60, clipCount: 3 },
};

const words = (endSec: number) => [
  { text: 'Um', type: 'word', start: 1, end: 2 },
  { text: 'fim', type: 'word', start: endSec - 0.5, end: endSec },
];

/** Ranks a video whose last word ends at a given time, and returns what was recorded. */
async function rankedWith(endSec: number) {
  const recorded: unknown[] = [];
  const metrics: unknown[] = [];
  const transcript = JSON.stringify({ language_code: 'por', words: words(endSec) });
  const outcome = { status: 'done', outputs: [{ url: 'https://example.com/t.json', contentType: 'application/json' }] };
  const context = {
    tasks: { find: async () => task, recordProgress: async () => true, progress: async () => true },
    engineJobs: {
      find: async ({ name }: { name: string }) => (name === 'transcribe' ? { outcome } : {}),
      recordOutcome: async (_: unknown, failure: unknown) => recorded.push(failure),
      recordReport: async () => true,
    },
    engines: { named: () => ({ download: async () => ({ body: [Buffer.from(transcript)] }) }) },
    work: { read: async () => undefined, write: async () => undefined },
    textWriter: { rankPassages: async () => [] },
    clock: { now: () => 0 },
    logger: { warn: () => undefined },
    metrics: { record: (...given: unknown[]) => metrics.push(given) },
  } as unknown as Parameters<typeof rankClips>[1];
  const ranked = await rankClips({ taskId: task.taskId, source }, context);
  return { ranked, recorded, metrics };
}

test('speech after the measured end of a video fails the task and counts as a result that is too long', async () => {
  expect(await rankedWith(63.5)).toEqual({
    ranked: { status: 'over' },
    recorded: [
      {
        status: 'failed',
        code: 'INPUT_INVALID',
        detail: 'videoUrl contains speech after its measured end: export it again',
        isTooLong: true,
      },
    ],
    metrics: [[{ ResultsTooLong: 1 }, { operation: 'generateCortes' }]],
  });
});

test('a last word that ends within the tolerance of the measured duration does not fail the task', async () => {
  expect(await rankedWith(63)).toMatchObject({
    ranked: { status: 'ready', clips: [1, 2, 3] },
    recorded: [],
    metrics: [],
  });
});
