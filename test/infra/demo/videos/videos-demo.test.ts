/** The demo of videos; that it passes all of its checks is what `npm run demo -- --videos` is for. */
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { problemsOfVideo } from '../../../../infra/demo/videos/save-videos.ts';
import { tinyMp4 } from '../../../support/tiny-video.ts';
import { type DemoProcess, demoProcess } from '../demo-process.ts';

let demo: DemoProcess | undefined;
afterEach(() => demo?.remove());

it('reports the failed checks if the engine rejects, and exits with 1', async () => {
  demo = demoProcess({
    args: ['--videos'],
    environment: { OFFLINE_ENGINE_LATENCY_MS: '0', OFFLINE_ENGINE_FAILURE: 'reject' },
  });
  expect(await demo.ended).toBe(1);
  expect(demo.stderr).toBe('');
  expect(demo.stdout.match(/✗ .*/g)).toEqual([
    '✗ All tasks were completed, and their progress never decreased.',
    '✗ Every result is an MP4 with the size, duration, sound and poster that its request and its task state.',
    '✗ The ledger contains one debit for the cost of each task, and no other new rows.',
  ]);
  expect(readdirSync(demo.outDir)).toEqual([]);
});

describe('a result', () => {
  const size = { width: 720, height: 1280 };
  const described = { ...size, durationSec: 4, posterUrl: 'https://example.com/1.jpg' };
  const expected = { ...size, durationSec: 4, hasAudio: false };
  const problems = (seconds: number, changes: object = {}) =>
    tinyMp4(seconds, size).then((bytes) =>
      problemsOfVideo({ fileName: 'a.mp4', bytes, described, expected, ...changes }),
    );

  it('has no problem if it is as requested and as described', async () => {
    expect(await problems(4)).toEqual([]);
  });

  it.each([
    [4.2, {}, ['a.mp4 lasts 4.2 s', 'a.mp4 is not described as lasting 4.2 s']],
    [4, { expected: { ...expected, width: 480 } }, ['a.mp4 is 720 × 1280']],
    [4, { expected: { ...expected, hasAudio: true } }, ['a.mp4 has no sound track']],
    [
      4,
      { described: { ...size, width: 704, durationSec: 4 } },
      ['a.mp4 is not described as 720 × 1280', 'a.mp4 has no poster'],
    ],
    [4, { bytes: Buffer.from('<!doctype html>') }, ['a.mp4 is not an MP4']],
  ])('of %d s, with %j, has the problems %j', async (seconds, changes, expectedProblems) => {
    expect(await problems(seconds, changes)).toEqual(expectedProblems);
  });
});
