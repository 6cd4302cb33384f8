/** Clips by MediaConvert, on a fake that really cuts, crops and captions them. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { ClipOrder } from '../../../shared/engines/aws/clip-order.ts';
import { readImageHead } from '../../../shared/media-files/image-head.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { differingFrames, numberedFrames, numberedVideo } from '../../support/numbered-video.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { faultOf } from '../fal/fal-subject.ts';
import { accepted, bytesOf, closeAll, ended, job, onFake, outputOf, startStorage } from './aws-subject.ts';

/** A clip from frame 31 to frame 105: its ends are between key frames, and not at whole seconds. */
const order: ClipOrder = {
  sourceKey: 'inputs/task/source.mp4',
  outputKey: 'inputs/task/cut-01',
  span: { startSec: 1.034, endSec: 3.53 },
  frameRate: { numerator: 30_000, denominator: 1001 },
  size: { width: 90, height: 160 },
  hasSound: true,
};

const storage = await startStorage();
const source = await numberedVideo('30000/1001', 4);
await storage.put(order.sourceKey, source);
await storage.put('inputs/task/page.mp4', '<!doctype html>');
await storage.put('inputs/task/cut-off.mp4', source.subarray(0, 4000));
await storage.put('inputs/task/cut-01.srt', '1\n00:00:02,000 --> 00:00:03,000\nMMMMMM\n');
afterAll(() => storage.close());
afterEach(closeAll);

test('a MediaConvert clip has exactly the requested frames, center-cropped to the requested size, with their sound and a poster', async () => {
  const { engine } = await onFake(storage);
  const output = await outputOf(engine, order);
  const { width, height } = order.size;
  expect(output).toEqual({
    url: `s3://${storage.bucket}/inputs/task/cut-01-clip.mp4`,
    contentType: 'video/mp4',
    posterUrl: `s3://${storage.bucket}/inputs/task/cut-01-poster.0000001.jpg`,
    width,
    height,
    durationSec: expect.closeTo((75 * 1.001) / 30, 2),
  });
  const clip = await bytesOf(engine, output);
  const frames = await numberedFrames(clip);
  expect(frames.map(({ number }) => number)).toEqual(Array.from({ length: 75 }, (_, index) => 31 + index));
  // The largest 9:16 part of a 16:9 frame.
  const share = (9 / 16) ** 2;
  expect(frames[0]?.from).toBeCloseTo((1 - share) / 2, 1);
  expect(frames[0]?.to).toBeCloseTo((1 + share) / 2, 1);
  const body = ReadableStream.from([clip]);
  expect(await readContainer({ access: 'stream', body, close: () => undefined })).toMatchObject({
    width,
    height,
    hasAudio: true,
    videoSec: expect.closeTo(2.5, 1),
  });

  const poster = await bytesOf(engine, { url: output.posterUrl ?? '', contentType: 'image/jpeg' });
  expect(readImageHead(poster)).toEqual({ contentType: 'image/jpeg', width, height });
  const [shown] = await numberedFrames(poster);
  expect(Math.abs((shown?.number ?? 0) - 61)).toBeLessThanOrEqual(1);
});

test('the captions of a MediaConvert clip, timed by the whole video, are burned into exactly the matching frames of the clip', async () => {
  const { engine } = await onFake(storage);
  const size = { width: 320, height: 180 };
  const plain = await bytesOf(engine, await outputOf(engine, { ...order, size }));
  const captions = { key: 'inputs/task/cut-01.srt', language: 'pt' };
  const other = await onFake(storage);
  const captioned = await bytesOf(other.engine, await outputOf(other.engine, { ...order, size, captions }));
  // The source from second 2 to 3 has frames 60 to 89, and the clip begins with frame 31.
  expect(await differingFrames(plain, captioned)).toEqual(Array.from({ length: 30 }, (_, index) => 29 + index));
});

test('a MediaConvert clip may be a single frame without sound, which is also its poster', async () => {
  const { engine } = await onFake(storage);
  const span = { startSec: 1, endSec: 1 };
  const output = await outputOf(engine, { ...order, span, hasSound: false });
  expect((await numberedFrames(await bytesOf(engine, output))).map(({ number }) => number)).toEqual([30]);
  expect(output.posterUrl).toMatch(/0000000\.jpg$/);
  expect((await bytesOf(engine, { url: output.posterUrl ?? '', contentType: 'image/jpeg' })).length).toBeGreaterThan(0);
});

test.for([
  [true, { width: 90, height: 160 }, 'SMART_CROP'],
  [true, { width: 90, height: 90 }, 'SMART_CROP'],
  [true, { width: 160, height: 90 }, 'FILL'],
  [false, { width: 90, height: 160 }, 'FILL'],
] as const)(
  'with smart cropping set to %s, MediaConvert is told to fill a frame of %j with %s',
  async ([smartCrop, size, expected]) => {
    const { engine, fake } = await onFake(storage, { end: 'never' }, { smartCrop });
    await accepted(engine, { ...order, size });
    const outputs = fake.created[0]?.outputGroups[0]?.outputs ?? [];
    expect(outputs.map(({ videoDescription }) => videoDescription.scalingBehavior)).toEqual([expected, expected]);
  },
);

test('a MediaConvert submission that is repeated creates no second job, even much later', async () => {
  const clock = steppedClock();
  const { engine, fake } = await onFake(storage, { end: 'never', clock });
  const first = await accepted(engine, order);
  for (let clip = 2; clip <= 25; clip += 1) {
    expect(await accepted(engine, order, `task-1.cut-${clip}`)).not.toBe(first);
  }
  for (const elapsedMs of [59_000, 3_600_000]) {
    clock.advance(elapsedMs);
    expect(await accepted(engine, order)).toBe(first);
  }
  expect(fake.created).toHaveLength(25);
});

test('a MediaConvert job that was canceled is submitted again as a new job', async () => {
  const clock = steppedClock();
  const { engine } = await onFake(storage, { end: 'never', clock });
  const first = await accepted(engine, order);
  await engine.cancel(first);
  clock.advance(61_000);
  expect(await accepted(engine, order)).not.toBe(first);
});

test('a running MediaConvert job reports its progress, and a canceled one is reported as failed', async () => {
  const { engine } = await onFake(storage, { end: 'never' });
  const reference = await accepted(engine, order);
  expect(await engine.check(reference)).toEqual({ status: 'running', progress: 42 });
  await engine.cancel(reference);
  expect(await engine.check(reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  await engine.cancel(reference);
  await engine.cancel('mediaconvert:unknown');
});

test('a job that MediaConvert does not know is reported as lost', async () => {
  const { engine } = await onFake(storage);
  expect(await engine.check('mediaconvert:unknown')).toEqual({ status: 'lost' });
});

describe('a MediaConvert job fails with', () => {
  test.for([
    ['INPUT_INVALID', 'page.mp4'],
    ['INPUT_INVALID', 'cut-off.mp4'],
    ['PROVIDER_ERROR', 'missing.mp4'],
  ] as const)('%s if its source is %s', async ([code, name]) => {
    const { engine } = await onFake(storage);
    const reference = await accepted(engine, { ...order, sourceKey: `inputs/task/${name}` });
    expect(await ended(engine, reference)).toEqual({ status: 'failed', code });
  });

  test.for([
    ['INPUT_INVALID', 1010],
    ['PROVIDER_ERROR', 1401],
    ['PROVIDER_ERROR', 1432],
    ['PROVIDER_ERROR', 1999],
  ] as const)('%s after error %i', async ([code, errorCode]) => {
    const { engine } = await onFake(storage, { end: { errorCode } });
    expect(await ended(engine, await accepted(engine, order))).toEqual({ status: 'failed', code });
  });
});

describe('a MediaConvert submission', () => {
  test('that MediaConvert rejects fails the job, because a retry would be rejected too', async () => {
    const { engine } = await onFake(storage, { faults: ['BadRequestException'] });
    expect(await engine.submit(job(order))).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  test('that is throttled is retried by the client a few times, and then waits for capacity', async () => {
    const throttled = await onFake(storage, { faults: Array.from({ length: 9 }, () => 'TooManyRequestsException') });
    expect(await throttled.engine.submit(job(order))).toEqual({ status: 'busy' });
    const recovered = await onFake(storage, { faults: ['InternalServerErrorException'], end: 'never' });
    expect(await recovered.engine.submit(job(order))).toMatchObject({ status: 'accepted', completion: 'polling' });
  });

  test.for([
    ['ForbiddenException', 'misconfigured'],
    ['NotFoundException', 'misconfigured'],
    ['InternalServerErrorException', 'unavailable'],
  ] as const)('that gets %s throws an error (%s) without details of the job', async ([fault, reason]) => {
    const { engine } = await onFake(storage, { faults: Array.from({ length: 9 }, () => fault) });
    const thrown = await faultOf(engine.submit(job(order)));
    expect(thrown).toContain(`MediaConvert refused a request: ${reason} (${fault})`);
    expect(thrown).not.toMatch(/inputs\/task|secret-address|AWS4-HMAC|Not now/);
  });

  test('to an unreachable service throws an error', async () => {
    const { engine } = await onFake(storage, {}, { url: 'http://127.0.0.1:1' });
    expect(await faultOf(engine.submit(job(order)))).toContain('unavailable (ECONNREFUSED)');
  });

  test('for an unknown service of AWS, or with keys outside the bucket, is refused', async () => {
    const { engine } = await onFake(storage);
    await expect(engine.submit({ ...job(order), model: 'polly' })).rejects.toThrow('no service of AWS');
    await expect(engine.submit(job({ ...order, sourceKey: 's3://other/source.mp4' }))).rejects.toThrow();
    await expect(engine.check('constructor:1')).rejects.toThrow('no service of AWS');
  });
});

test('a MediaConvert result can be downloaded only if it is in the service’s bucket', async () => {
  const { engine } = await onFake(storage);
  for (const url of ['s3://other/inputs/task/source.mp4', 'http://127.0.0.1:1/', `s3://${storage.bucket}x/a`]) {
    await expect(engine.download({ url, contentType: 'video/mp4' })).rejects.toThrow('not in the bucket');
  }
});
