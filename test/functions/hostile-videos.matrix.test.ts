/** Hostile and unusual videos: each is rejected with its field, or accepted, within budgets of time, bytes and memory. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { inputLimits } from '../../shared/contracts/media.ts';
import { probeMedia } from '../../shared/domain/media/probe-media.ts';
import { safeOpen } from '../../shared/platform/safe-fetch.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { matrixRows } from '../support/matrix-rows.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { paddedMp4, tinyMp4, withRotation } from '../support/tiny-video.ts';

const megabyte = 2 ** 20;
const { maxBytes } = inputLimits.video;

let account: TestAccount;
/** The bytes that were sent for the last request. */
let sent = 0;

const portrait = { width: 720, height: 1280 };

/** Sends parts as fast as the client reads them. */
async function send(response: ServerResponse, parts: Iterable<Buffer>) {
  for (const part of parts) {
    if (response.destroyed) return;
    sent += part.length;
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

const rangeOf = ({ headers }: IncomingMessage): readonly [number, number] | undefined => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
};

/** Serves ranges of a file, or the whole file. */
const served =
  (file: () => Buffer, { ranges = true, headers = {} }: { ranges?: boolean; headers?: object } = {}): ImageResponse =>
  (response, request) => {
    const bytes = file();
    const range = ranges ? rangeOf(request) : undefined;
    if (!range) {
      response.writeHead(200, { 'content-length': bytes.length, ...headers });
      return void send(response, [bytes]);
    }
    const part = bytes.subarray(range[0], range[1] + 1);
    response.writeHead(206, { 'content-range': `bytes ${range[0]}-${range[0] + part.length - 1}/${bytes.length}` });
    return void send(response, [part]);
  };

/** A video with so many bytes between its beginning and its index that it is never in memory as a whole. */
const padded =
  (bytes: number, { ranges, announced }: { ranges: boolean; announced: boolean }): ImageResponse =>
  async (response, request) => {
    const video = await tinyMp4(5, { ...portrait, index: 'last' });
    const size = video.length + bytes;
    const range = ranges ? rangeOf(request) : undefined;
    if (!range) {
      response.writeHead(200, announced ? { 'content-length': size } : {});
      return send(response, paddedMp4(video, bytes));
    }
    const [first, last] = [range[0], Math.min(range[1], size - 1)];
    response.writeHead(206, { 'content-range': `bytes ${first}-${last}/${size}` });
    let position = 0;
    const parts = function* () {
      for (const part of paddedMp4(video, bytes)) {
        const [from, to] = [Math.max(0, first - position), Math.min(part.length, last + 1 - position)];
        position += part.length;
        if (from < to) yield part.subarray(from, to);
        if (position > last) return;
      }
    };
    return send(response, parts());
  };

const source = (filter: string) => ['-f', 'lavfi', '-i', filter];
const small = ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
const recipes: Readonly<Record<string, readonly string[]>> = {
  'plain.mp4': [...source('testsrc=s=90x160:r=10'), '-t', '4', ...small, '-movflags', 'faststart'],
  'end.mp4': [...source('testsrc=s=90x160:r=10'), '-t', '4', ...small],
  'fragments.mp4': [...source('testsrc=s=90x160:r=10'), '-t', '4', ...small, '-movflags', 'frag_keyframe+empty_moov'],
  'wide.mp4': [...source('color=s=10000x10:r=1'), '-t', '4', ...small],
  'variable.mp4': [
    ...source('testsrc=s=90x160:r=30'),
    ..."-vf select='lt(t,1)+not(mod(n,20))' -vsync vfr -t 5".split(' '),
    ...small,
  ],
  'sound.mp4': [...source('sine=frequency=440'), '-t', '4', '-f', 'mp4'],
  'hours.mp4': [...source('color=s=16x16:r=1'), '-t', '28800', ...small],
  'tune.mp4': [...source('sine'), '-t', '4', '-f', 'wav'],
};
const made = new Map<string, Buffer>();
const fileOf = (name: string) => made.get(name) ?? expect.fail(`${name} was not made`);

const handlers: Record<string, ImageResponse> = {
  'face.png': (response) => void response.end(tinyPng(400, 600, { width: 1, height: 1 })),
  'page.mp4': (response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).end('<!doctype html>'),
  'empty.mp4': (response) => void response.end(),
  'cut-index.mp4': served(() => fileOf('plain.mp4').subarray(0, 500)),
  'no-index.mp4': served(() => {
    const file = Buffer.from(fileOf('end.mp4'));
    file.write('free', file.lastIndexOf('moov'));
    return file;
  }),
  'cut-end.mp4': served(() => fileOf('end.mp4').subarray(0, -300)),
  'cut-media.mp4': served(() => fileOf('plain.mp4').subarray(0, -1)),
  'cut-media-without-ranges.mp4': served(() => fileOf('plain.mp4').subarray(0, -1), { ranges: false }),
  'only-index.mp4': served(() => fileOf('plain.mp4').subarray(0, fileOf('plain.mp4').lastIndexOf('mdat') - 4)),
  'cut-fragment.mp4': served(() =>
    fileOf('fragments.mp4').subarray(0, fileOf('fragments.mp4').lastIndexOf('mdat') + 9),
  ),
  'too-long-announced.mp4': (response) => {
    const file = fileOf('end.mp4');
    response.writeHead(200, { 'content-length': file.length + 1000 });
    response.write(file.subarray(0, file.length / 2), () => response.destroy());
  },
  'too-short-announced.mp4': (response) => {
    const file = fileOf('end.mp4');
    response.writeHead(200, { 'content-length': 700 });
    response.end(file.subarray(0, 700));
  },
  'lying-range.mp4': (response) => {
    response.writeHead(206, { 'content-range': `bytes 0-65535/${10 * maxBytes}` }).end('x');
  },
  'huge-with-ranges.mp4': padded(200 * megabyte, { ranges: true, announced: true }),
  'huge.mp4': padded(200 * megabyte, { ranges: false, announced: true }),
  'huge-unannounced.mp4': padded(200 * megabyte, { ranges: false, announced: false }),
  'large-with-ranges.mp4': padded(90 * megabyte, { ranges: true, announced: true }),
  'without-ranges.mp4': served(() => fileOf('end.mp4'), { ranges: false }),
  'rotated.mp4': served(() => withRotation(fileOf('rotated-source'))),
};
for (const name of Object.keys(recipes)) handlers[name] = served(() => fileOf(name));

const folder = await mkdtemp(join(tmpdir(), 'hostile-videos-'));
const [host, files] = await Promise.all([testService(), imageHost(handlers)]);
for (const [name, recipe] of Object.entries(recipes)) {
  const path = join(folder, name);
  await ffmpeg({ arguments: [...recipe, path] });
  made.set(name, await readFile(path));
}
made.set('rotated-source', await tinyMp4(5, { width: 1280, height: 720 }));
afterAll(async () => {
  await Promise.all([host.close(), files.close()]);
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  account = await host.account({ credits: 100 });
  sent = 0;
});

const post = (motionVideo: string, headers: Record<string, string> = {}) =>
  host.call('imitateVideo', {
    token: account.token,
    body: { characterImage: files.url('face.png'), motionVideo: files.url(motionVideo) },
    headers,
  });

/** The peak memory of buffers while a function runs, minus that before it. */
async function buffersDuring<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const before = process.memoryUsage().arrayBuffers;
  let max = before;
  const watch = setInterval(() => {
    max = Math.max(max, process.memoryUsage().arrayBuffers);
  }, 5);
  try {
    return [await work(), max - before];
  } finally {
    clearInterval(watch);
  }
}

describe('an unusable video is rejected while the client waits, with an error that names the field and the reason:', () => {
  test.for(
    matrixRows<[string, RegExp]>([
      ['page.mp4', /^motionVideo is not a readable MP4, MOV, WebM or Matroska file$/],
      ['empty.mp4', /^motionVideo is not a readable MP4, MOV, WebM or Matroska file$/],
      ['cut-index.mp4', /^motionVideo is not a readable MP4, MOV, WebM or Matroska file$/],
      ['no-index.mp4', /^motionVideo is not a readable MP4, MOV, WebM or Matroska file$/],
      ['cut-end.mp4', /^motionVideo is not a readable MP4, MOV, WebM or Matroska file$/],
      ['cut-media.mp4', /^motionVideo is truncated$/],
      ['cut-media-without-ranges.mp4', /^motionVideo is truncated$/],
      ['only-index.mp4', /^motionVideo is truncated$/],
      ['cut-fragment.mp4', /^motionVideo is truncated$/],
      [
        'too-long-announced.mp4',
        /^motionVideo (could not be downloaded: the connection failed|is not a readable MP4, MOV, WebM or Matroska file)$/,
      ],
      ['too-short-announced.mp4', /^motionVideo is truncated$/],
      ['lying-range.mp4', /^motionVideo must be at most 100 MB$/],
      ['huge-with-ranges.mp4', /^motionVideo must be at most 100 MB$/],
      ['huge.mp4', /^motionVideo must be at most 100 MB$/],
      ['huge-unannounced.mp4', /^motionVideo (must be at most 100 MB|could not be downloaded: it took too long)$/],
      ['wide.mp4', /^motionVideo must be at most 4096 pixels per side$/],
      ['sound.mp4', /^motionVideo contains no video$/],
      ['hours.mp4', /^motionVideo must be 3 to 30 seconds long$/],
      ['tune.mp4', /^motionVideo must be an MP4, MOV, WebM or Matroska file, not WAV$/],
    ]),
  )('%s', async ([name, message]) => {
    const [{ status, body }, memory] = await buffersDuring(() => post(name));
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error?.message).toMatch(message);
    // Data in transit when the connection is closed is not read.
    expect(sent).toBeLessThan(maxBytes + 16 * megabyte);
    // Nothing is kept in memory twice, even if read data has not been collected yet.
    expect(memory).toBeLessThan(192 * megabyte);
    const stored = await host.service.context.accounts.find(account.accountId);
    expect(stored).toMatchObject({ balance: 100, openTasks: [] });
  });
});

describe('an unusual video is accepted and measured correctly:', () => {
  test.for(
    matrixRows<[string, number]>([
      ['plain.mp4', 20],
      ['without-ranges.mp4', 20],
      ['fragments.mp4', 20],
      ['large-with-ranges.mp4', 25],
      ['variable.mp4', 25],
      ['rotated.mp4', 25],
    ]),
  )('%s costs %i credits', async ([name, cost]) => {
    const { body } = await post(name, { 'x-dry-run': 'true' });
    expect(body.data).toMatchObject({ cost });
  });

  test('one whose index comes after 90 MB of data is read only in part', async () => {
    await post('large-with-ranges.mp4', { 'x-dry-run': 'true' });
    expect(sent).toBeLessThan(2 * megabyte);
  });

  test('one that was recorded rotated has the size at which it is displayed', async () => {
    const outbound = { open: safeOpen({ policy: 'local' }) };
    const expected = { kind: 'video', limits: inputLimits.video, timeoutMs: 60_000 } as const;
    expect(await probeMedia(outbound, files.url('rotated.mp4'), expected)).toMatchObject(portrait);
  });
});
