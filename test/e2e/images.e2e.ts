/** Images generated from prompts and from other images, which are copied before they are processed. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImageHead } from '../../shared/media-files/image-head.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable } from './target.ts';

let ana: BackEnd;
let images: ImageHost;

beforeAll(async () => {
  const cup = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#864' } })
    .jpeg()
    .toBuffer();
  [ana, images] = await Promise.all([
    newBackEnd(50),
    imageHost({
      'cup.jpg': (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(cup),
      'page.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html>'),
    }),
  ]);
});
afterAll(() => images.close());

/** Images are generated without API keys, and inputs can be downloaded from this machine. */
const works = isCapable('offline-engine', 'local-webhooks');

const headOf = async (url: string | undefined) =>
  readImageHead(Buffer.from(await (await fetch(url ?? '')).arrayBuffer()));

test.runIf(works)('the requested number of images is generated from a prompt', async () => {
  const { taskId } = (await ana.api.generateImage({ body: { prompt: 'um farol', numImages: 2 } })).data;
  const task = await ana.ended(taskId, 120_000);
  expect(task).toMatchObject({ status: 'completed', creditsUsed: 8 });
  for (const { url, contentType, width, height } of task.results ?? []) {
    expect(await headOf(url)).toEqual({ contentType, width, height });
  }
  expect(task.results).toHaveLength(2);
});

test.runIf(works)('a remote image is downloaded and processed, and its result is stored', async () => {
  const { taskId } = (await ana.api.upscaleImage({ body: { imageUrl: images.url('cup.jpg') } })).data;
  const task = await ana.ended(taskId, 120_000);
  expect(task).toMatchObject({ status: 'completed', creditsUsed: 2 });
  expect(await headOf(task.resultUrl)).toMatchObject({ width: 120, height: 80 });
});

test.runIf(works)('a task with an invalid image fails and is refunded', async () => {
  const before = await ana.balance();
  const { taskId } = (await ana.api.removeBackground({ body: { imageUrl: images.url('page.png') } })).data;
  expect(await ana.ended(taskId)).toMatchObject({
    status: 'failed',
    error: { code: 'INPUT_INVALID' },
    creditsUsed: 1,
    creditsRefunded: 1,
  });
  expect(await ana.balance()).toBe(before);
});
