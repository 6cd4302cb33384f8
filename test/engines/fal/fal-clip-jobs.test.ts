/** The jobs that make a clip at fal.ai, with a fake that really cuts and crops. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { EngineJob, EngineOutput } from '../../../shared/engines/engine.ts';
import { cropAtFal, cutAtFal, posterAtFal } from '../../../shared/engines/fal/fal-clip-jobs.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { imageHost } from '../../support/image-host.ts';
import { numberedFrames, numberedVideo } from '../../support/numbered-video.ts';
import { accepted, closeAll, ended, faultOf, onFake } from './fal-subject.ts';

const frameRate = { numerator: 30_000, denominator: 1001 };
/** A clip from frame 31 to frame 75: its ends are between key frames, and not at whole seconds. */
const span = { startSec: 1.034, endSec: 2.53 };
const size = { width: 90, height: 160 };

const source = await numberedVideo('30000/1001', 4);
const files = await imageHost({
  'source.mp4': (response) => response.end(source),
  'page.mp4': (response) => response.end('<!doctype html>'),
  'cut-off.mp4': (response) => response.end(source.subarray(0, 4000)),
  'missing.mp4': (response) => response.writeHead(404).end(),
});
afterAll(() => files.close());
afterEach(closeAll);

type Job = Pick<EngineJob, 'model' | 'input'>;

const subject = async () => {
  const { engine } = await onFake();
  let count = 0;
  const outcome = async (job: Job) => {
    count += 1;
    return ended(engine, (await accepted(engine, { ...job, taskId: `task-1.cut-${count}` })).reference);
  };
  const output = async (job: Job): Promise<EngineOutput> => {
    const end = await outcome(job);
    const [made] = end.status === 'done' ? end.outputs : [];
    if (!made) throw new Error(`it ended as ${JSON.stringify(end)}`);
    return made;
  };
  const bytes = async (made: EngineOutput) => Buffer.concat(await Array.fromAsync((await engine.download(made)).body));
  return { outcome, output, bytes };
};

test('a fal.ai clip has exactly the requested frames, center-cropped to the requested size, with their sound and a poster', async () => {
  const { output, bytes } = await subject();
  const cut = await output(cutAtFal({ videoUrl: files.url('source.mp4'), span, frameRate }));
  expect(cut).toMatchObject({ contentType: 'video/mp4', durationSec: expect.closeTo((45 * 1.001) / 30, 3) });
  const numbers = (frames: Awaited<ReturnType<typeof numberedFrames>>) => frames.map(({ number }) => number);
  const expected = Array.from({ length: 45 }, (_, index) => 31 + index);
  expect(numbers(await numberedFrames(await bytes(cut)))).toEqual(expected);

  const crop = await output(cropAtFal({ videoUrl: cut.url, size }));
  expect(crop).toMatchObject({ contentType: 'video/mp4', ...size });
  const clip = await bytes(crop);
  const frames = await numberedFrames(clip);
  expect(numbers(frames)).toEqual(expected);
  // The largest 9:16 part of a 16:9 frame.
  const share = (9 / 16) ** 2;
  expect(frames[0]?.from).toBeCloseTo((1 - share) / 2, 1);
  expect(frames[0]?.to).toBeCloseTo((1 + share) / 2, 1);
  const body = ReadableStream.from([clip]);
  expect(await readContainer({ access: 'stream', body, close: () => undefined })).toMatchObject({
    ...size,
    hasAudio: true,
    videoSec: expect.closeTo(1.5, 1),
  });

  const poster = await output(posterAtFal({ videoUrl: crop.url }));
  expect(poster).toMatchObject({ contentType: 'image/jpeg', ...size });
  const [shown] = await numberedFrames(await bytes(poster));
  expect(Math.abs((shown?.number ?? 0) - 53)).toBeLessThanOrEqual(1);
});

const jobs: Readonly<Record<string, (videoUrl: string) => Job>> = {
  'cuts a video': (videoUrl) => cutAtFal({ videoUrl, span, frameRate }),
  'crops a video': (videoUrl) => cropAtFal({ videoUrl, size }),
  'extracts a poster': (videoUrl) => posterAtFal({ videoUrl }),
};

describe.for(Object.entries(jobs))('a fal.ai job that %s', ([, job]) => {
  test.for([
    ['missing.mp4', 'DOWNLOAD_FAILED'],
    ['page.mp4', 'INPUT_INVALID'],
    ['cut-off.mp4', 'INPUT_INVALID'],
    ['source.mp4?[fal:runner_server_error]', 'PROVIDER_ERROR'],
    ['source.mp4?[fal:generation_timeout]', 'PROVIDER_TIMEOUT'],
    ['source.mp4?[fal:content_policy_violation]', 'CONTENT_REJECTED'],
    ['source.mp4?[fal:downstream_service_error]', 'PROVIDER_ERROR'],
  ] as const)('with the source %s fails with %s', async ([file, code]) => {
    const { outcome } = await subject();
    expect(await outcome(job(files.url(file)))).toEqual({ status: 'failed', code });
  });
});

test('a fal.ai cut fails with INPUT_INVALID if the requested part is outside the video', async () => {
  const { outcome } = await subject();
  const later = { startSec: 50, endSec: 60 };
  const job = cutAtFal({ videoUrl: files.url('source.mp4'), span: later, frameRate });
  expect(await outcome(job)).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
});

test('a fal.ai cut that is refused causes an error with neither the video’s URL nor the key', async () => {
  const { engine } = await onFake({}, { key: async () => 'other-id:other-secret' });
  const job = cutAtFal({ videoUrl: 'https://storage.example/source.mp4?signature=secret', span, frameRate });
  const fault = await faultOf(accepted(engine, job));
  expect(fault).toContain('fal.ai responded with 401');
  expect(fault).not.toMatch(/storage\.example|signature|other-secret/);
});
