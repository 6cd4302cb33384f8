/** The outcome of a task from its clip jobs, some or all of which may fail. */
import { expect, test } from 'vitest';
import { clipJob } from '../../../shared/domain/clips/clip-task.ts';
import { clipsOutcome } from '../../../shared/domain/clips/cut-clips-outcome.ts';
import { clipWayOf } from '../../../shared/engines/clips/clip-ways.ts';
import type { EngineFailure } from '../../../shared/engines/engine.ts';

/** For each clip, the reason why its job failed, or that it is done. */
function outcomeOf(ends: readonly (EngineFailure | 'done')[]) {
  const plan = ends.map((_, index) => ({ startSec: 20 * index, endSec: 20 * index + 15 }));
  const jobs = ends.map((end, index) => {
    const name = clipJob('cut', index + 1);
    const outputs = [{ url: name, contentType: 'video/mp4' }];
    return { name, outcome: end === 'done' ? { status: end, outputs } : { status: 'failed' as const, code: end } };
  });
  return clipsOutcome(clipWayOf('clips/aws'), plan, jobs);
}

test.for<[EngineFailure, readonly (EngineFailure | 'done')[]]>([
  ['CONTENT_REJECTED', ['CONTENT_REJECTED', 'CONTENT_REJECTED', 'CONTENT_REJECTED']],
  ['CONTENT_REJECTED', ['done', 'CONTENT_REJECTED', 'done']],
  ['INPUT_INVALID', ['INPUT_INVALID', 'INPUT_INVALID', 'INPUT_INVALID']],
  ['PROVIDER_TIMEOUT', ['PROVIDER_TIMEOUT', 'done', 'PROVIDER_TIMEOUT']],
  ['PROVIDER_ERROR', ['INPUT_INVALID', 'PROVIDER_TIMEOUT', 'done']],
  // The engine downloads from the service's own storage.
  ['PROVIDER_ERROR', ['DOWNLOAD_FAILED', 'DOWNLOAD_FAILED', 'DOWNLOAD_FAILED']],
])('a clips task with too few clips fails with %s if its jobs ended as %j', ([code, ends]) => {
  expect(outcomeOf(ends)).toEqual({ status: 'failed', code });
});

test('a clips task omits a failed clip if at least three other clips remain', () => {
  expect(outcomeOf(['done', 'PROVIDER_ERROR', 'done', 'done'])).toMatchObject({
    status: 'done',
    outputs: [{ url: 'cut-01' }, { url: 'cut-03' }, { url: 'cut-04' }],
  });
});
