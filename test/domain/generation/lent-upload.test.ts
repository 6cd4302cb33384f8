/** Uploads that an engine downloads itself are measured once more, because nothing measures them afterwards. */
import { expect, test } from 'vitest';
import { stageInputs } from '../../../shared/domain/generation/stage-inputs.ts';
import type { FileShape } from '../../../shared/media-files/file-shape.ts';
import { measureHere } from '../../../shared/media-files/read-media.ts';
import type { Outbound } from '../../../shared/platform/outbound.ts';
import { OutboundFailed } from '../../../shared/platform/safe-fetch.ts';
import { servedFile } from '../../support/served-file.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';
import { clock, task, uncopied } from './staged-inputs.ts';

const videoUrl = 'https://service.example/files/1';
const lentUrl = 'https://inputs.example/1';
const limits = { videoUrl, durationSec: 20, clipCount: 1 };
const inputs = { write: () => Promise.reject(new Error('nothing is copied')), addressOf: async () => '' };

/**
 * The outcome of a task whose upload was measured as 20 seconds long, and how the upload was read; the first requests
 * to the storage fail.
 */
async function lent(seconds: number, failing = 0) {
  const served = servedFile({ parts: [await tinyMp4(seconds)] });
  let left = failing;
  const open: Outbound['open'] = (...asked) => {
    left -= 1;
    return left < 0 ? served.outbound.open(...asked) : Promise.reject(new OutboundFailed('timeout'));
  };
  const outbound = { ...served.outbound, isUpload: () => true, lend: async () => lentUrl, open };
  const shapes: FileShape[] = [];
  const measuring = {
    start: (shape: FileShape) => {
      shapes.push(shape);
      return measureHere(shape);
    },
  };
  const of = { ...task('cortes', limits), engine: 'klap', measuredSeconds: { videoUrl: 20 } } as const;
  return { result: await stageInputs({ clock, inputs, outbound, measuring }, of, uncopied), shapes };
}

test('an upload that an engine downloads itself is measured thoroughly before the engine gets its address', async () => {
  const { result, shapes } = await lent(20);
  expect(result).toEqual({ input: { ...limits, videoUrl: lentUrl } });
  expect(shapes).toMatchObject([{ isThorough: true }]);
});

test('an upload that is found to be longer than what was paid for fails the task, which counts as too long', async () => {
  const { result } = await lent(22);
  const detail = 'videoUrl is now 22 seconds long; it was 20 when the task was created';
  expect(result).toEqual({ status: 'failed', code: 'INPUT_INVALID', detail, isTooLong: true });
});

test.each([
  [1, { input: { ...limits, videoUrl: lentUrl } }],
  [2, { status: 'failed', code: 'DOWNLOAD_FAILED' }],
])('an upload whose storage does not answer %i times is read twice at most', async (failing, expected) => {
  const { result } = await lent(20, failing);
  expect(result).toMatchObject(expected);
});
