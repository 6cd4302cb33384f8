/** Videos from images, lines, motions and products: each is decoded, and compared with what was requested. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSample } from '../../infra/demo/images/sample-server.ts';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { decode, loudnessDb } from '../offline-engine/speech/sound.ts';
import { seenVideo } from '../offline-engine/video/seen-video.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';
import { sendUpload } from '../support/send-upload.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable } from './target.ts';

let ana: BackEnd;
let host: ImageHost;

/** A moving pattern with a tone, whose index is at the end of the file. */
async function motionVideo(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'e2e-motion-'));
  try {
    const path = join(folder, 'motion.mp4');
    const sources = '-f lavfi -t 3 -i testsrc=s=180x320:r=15 -f lavfi -t 3 -i sine=frequency=440';
    await ffmpeg({ arguments: [...sources.split(' '), '-pix_fmt', 'yuv420p', path] });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  const [astronaut, coffee, motion] = await Promise.all([
    readSample('astronaut.jpg'),
    readSample('coffee.png'),
    motionVideo(),
  ]);
  const serve = (contentType: string, bytes: Buffer) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes);
  [ana, host] = await Promise.all([
    newBackEnd(1000, 'pro'),
    imageHost({
      'astronaut.jpg': serve('image/jpeg', astronaut),
      'coffee.png': serve('image/png', coffee),
      'motion.mp4': serve('video/mp4', motion),
    }),
  ]);
});
afterAll(() => host.close());

/** Videos are generated without API keys, and inputs can be downloaded from this machine. */
const works = isCapable('offline-engine', 'local-webhooks');

const download = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer());

interface Expected {
  readonly width: number;
  readonly height: number;
  readonly durationSec: number;
  readonly cost: number;
}

/** The file of a completed task, after checking that it is the video that its task describes, with sound. */
async function videoOf(taskId: string, { width, height, durationSec, cost }: Expected): Promise<Buffer> {
  const task = await ana.ended(taskId, 300_000);
  expect(task).toMatchObject({ status: 'completed', creditsUsed: cost, creditsRefunded: 0 });
  const [result] = task.results ?? [];
  expect(result).toMatchObject({ contentType: 'video/mp4', width, height, durationSec });
  expect(await sharp(await download(result?.posterUrl)).metadata()).toMatchObject({ format: 'jpeg', width, height });
  const file = await download(task.resultUrl);
  expect(file.length).toBe(result?.bytes);
  const { seconds, video, sound } = await seenVideo(file);
  expect(video).toMatchObject({ codec: 'avc', width, height });
  expect(sound).toMatchObject({ codec: 'aac' });
  expect(Math.abs(seconds - durationSec)).toBeLessThanOrEqual(0.1);
  expect(loudnessDb(await decode(file), 0, durationSec).meanDb).toBeGreaterThan(-45);
  return file;
}

/** The mean difference per channel, from 0 to 255, of small versions of two images. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const small = (image: Buffer) => sharp(image).removeAlpha().resize(36, 64).raw().toBuffer();
  const [left, right] = await Promise.all([small(one), small(other)]);
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}

/** Repeats a request whose video could not be measured in time, as the error asks: on a busy machine that happens. */
async function accepted<Response>(request: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (tries === 10 || !String(error).includes('could not be measured in time')) throw error;
    }
  }
}

describe.runIf(works)('a video', { timeout: 360_000 }, () => {
  test('generated from a prompt begins and ends with the given frames', async () => {
    const frames = { imageUrl: host.url('astronaut.jpg'), lastImageUrl: host.url('coffee.png') };
    const body = { ...frames, prompt: 'um passeio', durationSec: 4, resolution: '480p' } as const;
    const { taskId } = (await ana.api.generateCreativeVideo({ body })).data;
    const file = await videoOf(taskId, { width: 480, height: 854, durationSec: 4, cost: 16 });
    const { first, last } = await seenVideo(file);
    const cropped = async (name: 'astronaut.jpg' | 'coffee.png') =>
      sharp(await readSample(name))
        .resize(480, 854)
        .toBuffer();
    const [astronaut, coffee] = [await cropped('astronaut.jpg'), await cropped('coffee.png')];
    expect(await difference(first, astronaut)).toBeLessThan(await difference(first, coffee));
    expect(await difference(last, coffee)).toBeLessThan(await difference(last, astronaut));
  });

  test('that imitates a reference video has the reference’s duration and sound', async () => {
    const body = { characterImage: host.url('astronaut.jpg'), motionVideo: host.url('motion.mp4') };
    const { taskId } = (await accepted(() => ana.api.imitateVideo({ body }))).data;
    const file = await videoOf(taskId, { width: 720, height: 1280, durationSec: 3, cost: 15 });
    expect(loudnessDb(await decode(file), 0.5, 2.5).meanDb).toBeGreaterThan(-35);
  });

  test('of a product can be generated from an uploaded image', async () => {
    const image = await readSample('coffee.png');
    const announced = { contentType: 'image/png', bytes: image.length } as const;
    const created = (await ana.api.createFile({ body: announced })).data;
    await sendUpload(created, image);
    const { fileId } = created;

    const product = (await ana.api.createStudioProduct({ body: { productFileIds: [fileId] } })).data;
    expect(product).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    const { products } = (await ana.api.listStudioProducts({})).data;
    expect(await download(products[0]?.images[0]?.url)).toEqual(image);

    const { modes } = (await ana.api.getStudioCatalog()).data;
    const mode = modes.find(
      ({ avatarPolicy, speechPolicy }) => avatarPolicy !== 'required' && speechPolicy === 'optional',
    );
    const request = { mode: mode?.slug ?? '', productId: product.id, resolution: '480p', durationSec: 4 } as const;
    const { data } = await ana.api.generateStudioVideo({ body: { ...request, aspectRatio: '1:1' } });
    expect(data.variationGroup).not.toBe(data.taskId);
    const cost = Math.ceil(((mode?.costsByResolution['480p'] ?? 0) * 4) / 15);
    await videoOf(data.taskId, { width: 480, height: 480, durationSec: 4, cost });
  });

  test('is cut into three clips in the requested ratio, which are ranked and do not overlap', async () => {
    const body = { videoUrl: host.url('motion.mp4'), aspectRatio: '4:5' } as const;
    const { taskId } = (await accepted(() => ana.api.generateCortes({ body }))).data;
    const task = await ana.ended(taskId, 300_000);
    expect(task).toMatchObject({ status: 'completed', creditsUsed: 17, resultUrl: task.clips?.[0]?.url });
    expect(task.clips).toHaveLength(3);
    const inOrder = (task.clips ?? []).toSorted((one, other) => (one.startTime ?? 0) - (other.startTime ?? 0));
    for (const [index, clip] of inOrder.entries()) {
      expect(clip).toMatchObject({ title: null, hook: null, score: expect.any(Number) });
      expect(clip.startTime).toBeGreaterThanOrEqual(inOrder[index - 1]?.endTime ?? 0);
      expect((await seenVideo(await download(clip.url))).video).toMatchObject({
        codec: 'avc',
        width: 720,
        height: 900,
      });
    }
    for (const { posterUrl } of task.results ?? [])
      expect(await sharp(await download(posterUrl)).metadata()).toMatchObject({
        format: 'jpeg',
        width: 720,
        height: 900,
      });
  });
});
