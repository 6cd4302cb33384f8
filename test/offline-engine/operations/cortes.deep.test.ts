/** Clips cut from a generated video with known scenes, faces and pauses, and videos that cannot be cut. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { findFaces } from '../../../offline-engine/image/face-finder.ts';
import { imageOf } from '../../../offline-engine/image/image.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../../support/image-host.ts';
import { sample } from '../image-client.ts';
import { type PerformedFile, performOperation } from '../perform-operation.ts';
import { decode, loudnessDb } from '../speech/sound.ts';
import { type SeenVideo, seenVideo } from '../video/seen-video.ts';

/**
 * A video with a face on the left, then a moving one on the right, then none, and a pause at the end of every four
 * seconds.
 */
const seconds = 15;
const scenes = [5, 10];
const pauses = [3.4, 7.4, 11.4].map((start) => ({ start, end: start + 0.6 }));
const size = 's=320x180:r=10';
const graph = [
  '[0]scale=120:120,split[one][two]',
  '[1][one]overlay=x=10:y=30:shortest=1[left]',
  "[2][two]overlay=x='190-30*sin(2*PI*t/6)':y=40:shortest=1[right]",
  '[left][right][3]concat=n=3[v]',
].join(';');
const sound = "aevalsrc='0.3*sin(2*PI*220*t)*lt(mod(t,4),3.4)':s=16000";
const source = (filter: string, length: number) => ['-f', 'lavfi', '-t', String(length), '-i', filter];

let folder: string;
let host: ImageHost;
let clips: readonly PerformedFile[];
let seen: readonly SeenVideo[];
const served: Record<string, ImageResponse> = {
  'page.mp4': (response) => void response.end('<!doctype html>'),
  'gone.mp4': (response) => void response.writeHead(404).end(),
  'moved.mp4': (response) => void response.writeHead(302, { location: '/film.mp4' }).end(),
  'inside.mp4': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/film.mp4' }).end(),
};
const serve = (name: string, bytes: Buffer) => {
  served[name] = (response) => response.end(bytes);
};

const cut = (videoUrl: string, options: object = {}) =>
  performOperation(
    'cortes',
    { videoUrl: host.url(videoUrl), aspectRatio: '1:1', seconds, clipCount: 3, ...options },
    join(folder, 'files'),
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortes-'));
  await mkdir(join(folder, 'files'));
  host = await imageHost(served);
  const [photograph, film] = [join(folder, 'face.jpg'), join(folder, 'film.mp4')];
  await writeFile(photograph, await sample('astronaut.jpg'));
  const shots = ['color=c=gray', 'color=c=navy', 'testsrc'].map((shot) =>
    source(`${shot}${shot === 'testsrc' ? '=' : ':'}${size}`, 5),
  );
  const inputs = ['-loop', '1', '-i', photograph, ...shots.flat(), ...source(sound, seconds)];
  const output = '-map [v] -map 4:a -pix_fmt yuv420p -preset ultrafast -t'.split(' ');
  await ffmpeg({ arguments: [...inputs, '-filter_complex', graph, ...output, String(seconds), film] });
  const bytes = await readFile(film);
  serve('film.mp4', bytes);
  // The sound of a video is examined before it is cut, so this one has none.
  const silent = join(folder, 'silent.mp4');
  await ffmpeg({ arguments: ['-i', film, '-an', '-c', 'copy', silent] });
  const broken = await readFile(silent);
  broken.fill(0xff, broken.indexOf('mdat') + 4, broken.indexOf('moov') - 4);
  serve('broken.mp4', broken);
  clips = await cut('moved.mp4');
  seen = await Promise.all(clips.map(({ bytes: clip }) => seenVideo(clip)));
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

const passages = () => clips.map(({ clip }) => clip ?? expect.fail('a clip has no place in the original'));
const spansOf = () => passages().map(({ startTime: start, endTime: end }) => ({ start, end }));

describe('the clips of the offline engine', () => {
  it('have the requested number and aspect ratio, H.264 and AAC streams, the duration of their passages, and posters', async () => {
    expect(clips).toHaveLength(3);
    for (const [index, { video, sound: track, seconds: length }] of seen.entries()) {
      const { start, end } = spansOf()[index] ?? { start: 0, end: 0 };
      expect(video).toMatchObject({ codec: 'avc', width: 720, height: 720 });
      expect(track).toMatchObject({ codec: 'aac', channels: 2 });
      expect(Math.abs(length - (end - start))).toBeLessThanOrEqual(0.15);
      expect(clips[index]).toMatchObject({ contentType: 'video/mp4', width: 720, height: 720 });
      expect(clips[index]?.durationSec).toBeCloseTo(end - start, 1);
      const poster = await readFile(join(folder, 'files', clips[index]?.posterName ?? ''));
      expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 720, height: 720 });
    }
  });

  it('can be played while they are downloaded: the index comes first', () => {
    for (const { bytes } of clips) expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it('do not overlap, and have scores from 0 to 1, best first', () => {
    const inOrder = spansOf().toSorted((one, other) => one.start - other.start);
    for (const [index, { start, end }] of inOrder.entries()) {
      expect(start).toBeGreaterThanOrEqual(inOrder[index - 1]?.end ?? 0);
      expect(end).toBeLessThanOrEqual(seconds);
    }
    const scores = passages().map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  it('begin and end within half a second of a pause, a scene change, or the beginning or end of the video', () => {
    const places = [{ start: 0, end: 0 }, { start: seconds, end: seconds }, ...pauses];
    const spans = [...places, ...scenes.map((at) => ({ start: at, end: at }))];
    for (const time of spansOf().flatMap(({ start, end }) => [start, end])) {
      const distance = Math.min(...spans.map(({ start, end }) => Math.max(0, start - time, time - end)));
      expect(distance, `a cut at ${time}`).toBeLessThanOrEqual(0.5);
    }
  });

  it('have the sound of their passages', async () => {
    for (const [index, { bytes }] of clips.entries()) {
      const { start = 0, end = 0 } = spansOf()[index] ?? {};
      const pause = pauses.find((one) => one.start > start + 0.5 && one.end < end - 0.5);
      if (!pause) continue;
      const samples = await decode(bytes);
      expect(loudnessDb(samples, pause.start - start + 0.15, pause.end - start - 0.15).meanDb).toBeLessThan(-45);
      expect(loudnessDb(samples, pause.end - start + 0.3, pause.end - start + 1).meanDb).toBeGreaterThan(-25);
    }
  });

  it('keep the face in the middle wherever it is in the source video, even when it moves', async () => {
    for (const [index, { start, end }] of spansOf().entries()) {
      const times = [start + 0.5, (start + end) / 2, end - 0.5].filter(
        (time) => time < 9.5 && scenes.every((scene) => Math.abs(scene - time) > 0.6),
      );
      for (const time of times) {
        const file = join(folder, `clip-${index}.mp4`);
        await writeFile(file, clips[index]?.bytes ?? '');
        const position = ['-ss', String(time - start), '-i', file];
        const png = await ffmpeg({
          arguments: [...position, ...'-frames:v 1 -vf scale=360:360 -f image2pipe -c:v png pipe:1'.split(' ')],
        });
        const [face] = await findFaces(await imageOf(sharp(png), false));
        expect(Math.abs((face?.center.x ?? 0) - 180), `the face at ${time}`).toBeLessThan(75);
      }
    }
  });

  it('name the engine in their metadata, and leave no other files behind', async () => {
    for (const { bytes } of clips) expect(bytes.includes('Cut by the offline engine.')).toBe(true);
    const files = await readdir(join(folder, 'files'));
    expect(files.toSorted()).toEqual(files.filter((name) => /^[0-9a-f]{32}-[123]\.(mp4|jpg)$/.test(name)).toSorted());
  });
});

describe('a source video of a clips job in another container', () => {
  it.each([
    ['film.mov', '-c copy'],
    ['film.mkv', '-c copy'],
    ['film.webm', '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus'],
  ])('is cut like an MP4: %s', async (name, codecs) => {
    const file = join(folder, name);
    await ffmpeg({ arguments: ['-i', join(folder, 'film.mp4'), ...codecs.split(' '), file] });
    serve(name, await readFile(file));
    const parts = await cut(name);
    expect(parts).toHaveLength(3);
    for (const { bytes, clip } of parts) {
      const { startTime = 0, endTime = 0 } = clip ?? {};
      expect(endTime).toBeLessThanOrEqual(seconds + 0.1);
      const { video, sound: track, seconds: length } = await seenVideo(bytes);
      expect([video, track]).toMatchObject([{ codec: 'avc', width: 720, height: 720 }, { codec: 'aac' }]);
      expect(Math.abs(length - (endTime - startTime))).toBeLessThanOrEqual(0.15);
    }
  });
});

describe('a source video of a clips job whose audio track is longer or shorter than its video track', () => {
  const framesSeconds = 2;

  it.each([
    ['twice as long', ['-t', '4']],
    ['a third as long', ['-t', '0.7']],
    ['starting late', ['-t', '0.7', '-itsoffset', '1.3']],
    ['missing', undefined],
  ])('is cut up to its last frame, into clips that all have sound: %s', async (_, placing) => {
    const file = join(folder, 'mismatched.mp4');
    const frames = ['-f', 'lavfi', '-t', String(framesSeconds), '-i', 'testsrc=s=96x96:r=10'];
    const tone = placing ? ['-f', 'lavfi', ...placing, '-i', 'sine=220'] : [];
    await ffmpeg({ arguments: [...frames, ...tone, ...'-pix_fmt yuv420p -preset ultrafast'.split(' '), file] });
    serve('mismatched.mp4', await readFile(file));
    const parts = await cut('mismatched.mp4', { seconds: framesSeconds, clipCount: 2 });
    expect(parts).toHaveLength(2);
    for (const { bytes, clip } of parts) {
      const { startTime = 0, endTime = 0 } = clip ?? {};
      expect(endTime).toBeLessThanOrEqual(framesSeconds);
      const { video, sound: track } = await seenVideo(bytes);
      expect(track).toMatchObject({ codec: 'aac', channels: 2 });
      for (const length of [video.seconds, (await decode(bytes)).seconds]) {
        expect(Math.abs(length - (endTime - startTime))).toBeLessThanOrEqual(0.15);
      }
    }
  });
});

describe('a clips job whose video cannot be cut', () => {
  it.each([
    ['page.mp4', {}, 'INPUT_INVALID', 'unreadable', /^videoUrl is not a video of an accepted type\.$/],
    ['broken.mp4', {}, 'INPUT_INVALID', 'unreadable', /^videoUrl has (sound|frames|parts) that cannot be decoded\.$/],
    ['film.mp4', { seconds: 12 }, 'INPUT_INVALID', 'too-long', /^videoUrl is 15 seconds long, and was 12\.$/],
    ['gone.mp4', {}, 'DOWNLOAD_FAILED', 'unreachable', /^videoUrl could not be downloaded: the response was 404\.$/],
    [
      'inside.mp4',
      {},
      'DOWNLOAD_FAILED',
      'unreachable',
      /^videoUrl could not be downloaded: the address is not allowed\.$/,
    ],
  ])('fails with the field and the reason: %s with the options %j', async (name, options, code, reason, message) => {
    const failure = { code, message: expect.stringMatching(message), problem: { field: 'videoUrl', reason } };
    await expect(cut(name, options)).rejects.toMatchObject(failure);
  });
});
