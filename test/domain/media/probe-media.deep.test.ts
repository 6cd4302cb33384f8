/** Input audio and video: what is probed, at what cost, and the errors for unusable files. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../fakes/listen.ts';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { probeMedia } from '../../../shared/domain/media/probe-media.ts';
import { interrupted } from '../../../shared/media-files/media-fault.ts';
import { OutboundFailed, type SafeOpen, safeOpen } from '../../../shared/platform/safe-fetch.ts';
import { tinyWav } from '../../support/tiny-sound.ts';

const folder = mkdtempSync(join(tmpdir(), 'probe-media-'));
const video = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440'];

/** How each file is generated; a video has its index at the end unless specified otherwise. */
const recipes = {
  'end.mp4': [...video, ...tone, '-t', '4', '-pix_fmt', 'yuv420p'],
  'start.mp4': [...video, '-t', '4', '-pix_fmt', 'yuv420p', '-movflags', 'faststart'],
  'large.mp4': ['-f', 'lavfi', '-i', 'nullsrc=s=640x480:r=25,geq=random(1)*255:128:128', '-t', '2', '-crf', '5'],
  'film.webm': [...video, '-t', '2'],
  'a.mp3': [...tone, '-t', '3.27'],
  '16.mp3': [...tone, '-t', '10', '-ar', '16000'],
  '22.mp3': [...tone, '-t', '10', '-ar', '22050'],
  '24.mp3': [...tone, '-t', '10', '-ar', '24000'],
  'tagged.mp3': [...tone, '-t', '10', '-ar', '16000', '-metadata', `comment=${'Um toque. '.repeat(2000)}`],
  'plain.mp3': [...tone, '-t', '10', '-ar', '16000', '-write_xing', '0'],
  'a.wav': [...tone, '-t', '2'],
  'a.m4a': [...tone, '-t', '2'],
  'a.ogg': [...tone, '-t', '2', '-c:a', 'libvorbis'],
} as const;

type Name = keyof typeof recipes;

const files = new Map<string, Buffer>();

beforeAll(async () => {
  for (const [name, recipe] of Object.entries(recipes)) {
    const path = join(folder, name);
    await ffmpeg({ arguments: [...recipe, '-y', path] });
    files.set(name, readFileSync(path));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: Name): Buffer => files.get(name) ?? expect.fail(`${name} was not made`);

/** Serves bytes with or without ranges, and counts the bytes sent. */
async function served(bytes: Buffer, offersRanges: boolean) {
  const sent = { bytes: 0, requests: 0 };
  const respond = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    sent.requests += 1;
    if (!offersRanges || first === undefined) {
      sent.bytes += bytes.length;
      response.writeHead(200).end(bytes);
      return;
    }
    if (Number(first) >= bytes.length) {
      response.writeHead(416).end();
      return;
    }
    const part = bytes.subarray(Number(first), Number(last) + 1);
    sent.bytes += part.length;
    const end = Number(first) + part.length - 1;
    response.writeHead(206, { 'content-range': `bytes ${first}-${end}/${bytes.length}` }).end(part);
  };
  const server = createServer(respond);
  const port = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/a`, sent };
}

const outbound = { open: safeOpen({ policy: 'local' }) };

const whole = (kind: 'audio' | 'video' = 'video') => ({ kind, limits: inputLimits[kind], timeoutMs: 60_000 });

async function probed(bytes: Buffer, options: Partial<Parameters<typeof probeMedia>[2]> = {}, offersRanges = true) {
  const { url, sent } = await served(bytes, offersRanges);
  return {
    found: await probeMedia(outbound, url, { ...whole(options.kind), ...options }),
    sent,
  };
}

describe.for([
  ['with', true],
  ['without', false],
] as const)('on a server %s range support,', ([, offersRanges]) => {
  test.for(['start.mp4', 'end.mp4'] as const)(
    'the duration and dimensions of the video %s are measured',
    async (name) => {
      const { found } = await probed(fileOf(name), {}, offersRanges);
      expect(found).toEqual({ contentType: 'video/mp4', durationSec: 4, width: 64, height: 48 });
    },
  );

  test.for<[Name, string, number]>([
    ['a.mp3', 'audio/mpeg', 3.3],
    ['a.wav', 'audio/wav', 2],
    ['a.m4a', 'audio/mp4', 2],
    ['a.ogg', 'audio/ogg', 2],
  ])('the duration of the audio file %s is measured to a tenth of a second', async ([name, contentType, seconds]) => {
    const { found } = await probed(fileOf(name), { kind: 'audio' }, offersRanges);
    expect(found).toEqual({ contentType, durationSec: expect.closeTo(seconds, 0) });
    expect(JSON.stringify(found)).toMatch(/"durationSec":\d+(\.\d)?[,}]/);
  });
});

describe.for([
  ['with', true],
  ['without', false],
] as const)('on a server %s range support, an MP3', ([, offersRanges]) => {
  test.for<[Name, number]>([
    ['16.mp3', 10],
    ['22.mp3', 10],
    ['24.mp3', 10],
    ['tagged.mp3', 10],
    // This file does not state how much of its duration the encoder added.
    ['plain.mp3', 10.1],
  ])(
    'has the duration before encoding if its header states how much the encoder added, else that of its frames (%s)',
    async ([name, durationSec]) => {
      const { found } = await probed(fileOf(name), { kind: 'audio' }, offersRanges);
      expect(found).toEqual({ contentType: 'audio/mpeg', durationSec });
    },
  );

  test('keeps the duration of its frames if its header declares all of its sound to be padding', async () => {
    const bytes = Buffer.from(fileOf('16.mp3').subarray(0, 2000));
    const at = bytes.indexOf('Lav', bytes.indexOf('Info')) + 21;
    bytes.fill(0xff, at, at + 3);
    bytes.writeUInt32BE(0, bytes.indexOf('Info') + 4);
    const { found } = await probed(bytes, { kind: 'audio' }, offersRanges);
    expect(found).toMatchObject({ durationSec: expect.closeTo(0.2, 0) });
  });
});

test('audio that is too short to measure counts as a tenth of a second', async () => {
  expect((await probed(tinyWav(0.01), { kind: 'audio' })).found).toMatchObject({ durationSec: 0.1 });
});

test('a large video with its index at its end is not downloaded whole if the server supports ranges', async () => {
  const bytes = fileOf('large.mp4');
  const { found, sent } = await probed(bytes);
  expect(found).toMatchObject({ durationSec: 2, width: 640, height: 480 });
  expect(bytes.length).toBeGreaterThan(4 * 2 ** 20);
  expect(sent.bytes).toBeLessThan(bytes.length / 2);
});

describe('an unusable media file', () => {
  const limits = inputLimits.video;
  const notMp4 = (name: string) => ({ problem: 'unsupported', reason: `must be an MP4 file, not ${name}` });
  test.for<[string, () => Buffer, Partial<Parameters<typeof probeMedia>[2]>, object]>([
    [
      'is too short',
      () => fileOf('end.mp4'),
      { limits: { ...limits, minSeconds: 5, maxSeconds: 30 } },
      { problem: 'outOfLimits', reason: 'must be 5 to 30 seconds long' },
    ],
    [
      'is too long',
      () => fileOf('end.mp4'),
      { limits: { ...limits, maxSeconds: 3.9 } },
      { problem: 'outOfLimits', reason: 'must be at most 3.9 seconds long' },
    ],
    [
      'has too many bytes',
      () => fileOf('end.mp4'),
      { limits: { ...limits, maxBytes: 2 ** 20 / 1024 } },
      { problem: 'outOfLimits', reason: 'must be at most 0.0009765625 MB' },
    ],
    ['has another file type', () => fileOf('film.webm'), {}, notMp4('WebM')],
    ['is an audio file', () => fileOf('a.mp3'), {}, notMp4('MP3')],
    [
      'has another file type and no audio',
      () => fileOf('film.webm'),
      { kind: 'audio' },
      { problem: 'unsupported', reason: 'must be an MP3, WAV, M4A or Ogg file, not WebM' },
    ],
    ['has no video', () => fileOf('a.m4a'), {}, { problem: 'invalid', reason: 'contains no video' }],
    ['has no audio', () => fileOf('start.mp4'), { kind: 'audio' }, { problem: 'invalid', reason: 'contains no audio' }],
    [
      'is an HTML page',
      () => Buffer.from('<!doctype html>'.repeat(99)),
      {},
      { problem: 'invalid', reason: 'is not a readable MP4 file' },
    ],
    [
      'has no duration',
      () => tinyWav(0),
      { kind: 'audio', limits: inputLimits.audio },
      { problem: 'invalid', reason: 'has no duration' },
    ],
    ['is empty', () => Buffer.alloc(0), {}, { problem: 'invalid', reason: 'is not a readable MP4 file' }],
    ['is truncated', () => fileOf('end.mp4').subarray(0, 2000), {}, { problem: 'invalid', reason: 'is truncated' }],
  ])('that %s is rejected with a message that states the reason', async ([, bytes, options, problem]) => {
    for (const offersRanges of [true, false]) {
      expect((await probed(bytes(), options, offersRanges)).found).toEqual(problem);
    }
  });

  test('is unreachable if it is missing or its server is too slow', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/gone') response.writeHead(404).end();
    });
    const port = await listen(server, 0);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const reasonOf = (path: string) =>
      probeMedia(outbound, `http://127.0.0.1:${port}${path}`, { ...whole(), timeoutMs: 300 });
    expect(await reasonOf('/gone')).toEqual({
      problem: 'unreachable',
      reason: 'could not be downloaded: the server responded with status 404',
    });
    expect(await reasonOf('/silent')).toEqual({
      problem: 'unreachable',
      reason: 'could not be downloaded: it took too long',
    });
  });

  const changed = 'the file changed while it was being read';
  test.for<[string, string, (start: number, size: number) => readonly [status: number, range: string]]>([
    ['that grows between two requests', changed, (start, size) => [206, `bytes ${start}-${start}/${size + 1}`]],
    ['that shrinks between two requests', changed, () => [416, 'bytes */9']],
    [
      'whose server sends another range',
      'the response is not valid HTTP',
      (start, size) => [206, `bytes ${start + 1}-${start + 1}/${size}`],
    ],
    [
      'whose server sends more than the requested range',
      'the response is not valid HTTP',
      (start, size) => [206, `bytes ${start}-${size - 1}/${size}`],
    ],
  ])('%s is reported as unreachable because %s', async ([, reason, respond]) => {
    const bytes = fileOf('large.mp4');
    let requests = 0;
    const server = createServer(({ headers }, response) => {
      const start = Number(/^bytes=(\d+)/.exec(headers.range ?? '')?.[1]);
      requests += 1;
      const [status, range] =
        requests > 1 ? respond(start, bytes.length) : ([206, `bytes 0-65535/${bytes.length}`] as const);
      response.writeHead(status, { 'content-range': range }).end(bytes.subarray(0, 65_536));
    });
    const port = await listen(server, 0);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const found = await probeMedia(outbound, `http://127.0.0.1:${port}/a`, whole());
    expect(found).toEqual({ problem: 'unreachable', reason: `could not be downloaded: ${reason}` });
  });
});

test('a file whose measurement was interrupted is measured again, however much of it had been read', async () => {
  const value = { contentType: 'video/mp4', name: 'MP4', hasVideo: true, hasAudio: false, durationSec: 4, videoSec: 4 };
  let attempts = 0;
  const start = () => {
    attempts += 1;
    return {
      next(bytes: Uint8Array) {
        if (bytes.length === 0) return { done: false, value: { start: 0, end: 20 * 2 ** 20, isRead: true } } as const;
        if (attempts === 1) throw interrupted();
        return { done: true, value } as const;
      },
      close: () => undefined,
    };
  };
  const { found } = await probed(Buffer.alloc(20 * 2 ** 20), { measuring: { start } });
  expect(found).toEqual({ contentType: 'video/mp4', durationSec: 4 });
});

describe('if the time limit is over before a file has been read,', () => {
  /** Measuring that takes a while for the first step, then needs bytes that have not been read. */
  const measuringFor = (ms: number) => ({
    start: () => {
      const value = { start: 200_000, end: 200_100, isRead: true };
      return { next: async () => setTimeout(ms, { done: false, value } as const), close: () => undefined };
    },
  });
  const file = Buffer.alloc(300_000);

  test('the machine is to blame if measuring took the time', async () => {
    const { found } = await probed(file, { timeoutMs: 300, measuring: measuringFor(400) });
    expect(found).toMatchObject({ reason: 'could not be measured in time: try again', isBusy: true });
  });

  test('the server of the file is to blame if it took the time', async () => {
    const open: SafeOpen = async (url, request) => {
      if (request.headers?.['range'] !== 'bytes=0-65535') throw new OutboundFailed('timeout');
      return outbound.open(url, request);
    };
    const { url } = await served(file, true);
    const found = await probeMedia({ open }, url, { ...whole(), timeoutMs: 300, measuring: measuringFor(1) });
    expect(found).toEqual({ problem: 'unreachable', reason: 'could not be downloaded: it took too long' });
  });
});
