import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, workProcesses } from '../engine-client.ts';
import { type ImageEngine, sample, startImageEngine } from '../image-client.ts';
import { decode, loudnessDb } from '../speech/sound.ts';
import { type SeenVideo, seenVideo } from '../video/seen-video.ts';

let engine: ImageEngine;
let file: Buffer;
let video: SeenVideo;
let poster: Buffer;

const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
  template: 'general',
  combinedImages: [engine.at('astronaut.jpg'), engine.at('coffee.png')],
  action: 'sorri',
  speech: 'Gente, olha que café incrível!',
  ...changes,
});

beforeAll(async () => {
  engine = await startImageEngine();
  const { video: made, poster: first } = await engine.makeVideo('video-ugc', input({ backgroundSound: 'chuva' }));
  [file, poster] = [made, first];
  video = await seenVideo(file);
});
afterAll(() => engine.close());

/** The mean difference per channel, from 0 to 255, of small versions of two images. */
const difference = async (one: Buffer, other: Buffer): Promise<number> => {
  const small = (image: Buffer) =>
    sharp(image).removeAlpha().resize(36, 64, { fit: 'cover', position: sharp.strategy.attention }).raw().toBuffer();
  const [left, right] = await Promise.all([small(one), small(other)]);
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
};

describe('a UGC video of the offline engine', () => {
  it('is an MP4 of 8 s, 720 × 1280 pixels and 30 frames per second, with H.264 and stereo AAC', () => {
    expect(video).toMatchObject({
      video: { codec: 'avc', width: 720, height: 1280, frames: 240 },
      sound: { codec: 'aac', channels: 2 },
    });
    expect(Math.abs(video.seconds - 8)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(video.video.seconds - 8)).toBeLessThanOrEqual(0.05);
  });

  it('can be played while it is being downloaded', () => {
    expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'));
  });

  it('names the engine in its metadata', () => {
    expect(file.toString('latin1')).toContain('Sandbox video by the offline engine');
  });

  it('begins with the first image and ends with the last one', async () => {
    const [first, last] = [await sample('astronaut.jpg'), await sample('coffee.png')];
    expect(await difference(video.first, first)).toBeLessThan(24);
    expect(await difference(video.last, last)).toBeLessThan(24);
    expect(await difference(video.first, last)).toBeGreaterThan(40);
    expect(await difference(video.last, first)).toBeGreaterThan(40);
  });

  it('has a JPEG of its first frame as its poster', async () => {
    expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 720, height: 1280 });
    expect(await difference(poster, video.first)).toBeLessThan(4);
  });

  it('has audible speech well above its background sound and does not clip', async () => {
    const sound = await decode(file);
    const [before, speaking] = [loudnessDb(sound, 0, 0.4), loudnessDb(sound, 0.6, 1.6)];
    expect(before.meanDb).toBeGreaterThan(-50);
    expect(speaking.meanDb).toBeGreaterThan(before.meanDb + 8);
    expect(speaking.peakDb).toBeLessThan(-0.1);
  });

  it('leaves only its video and its poster in the engine’s folder', async () => {
    const own = (await readdir(engine.filesDir)).filter((name) => /^[0-9a-f]{32}/.test(name));
    expect(own.map((name) => name.slice(32)).sort()).toEqual(['-1.jpg', '.mp4']);
  });
});

it('a canceled UGC video is stopped, and its temporary files are deleted', async () => {
  const { reference } = await engine.submit('video-ugc', input());
  const ownFiles = async () => (await readdir(engine.filesDir)).filter((name) => name.startsWith(reference));
  await eventually(async () => (await ownFiles()).length > 0 || undefined);
  await engine.request(`/v1/jobs/${reference}/cancel`, {});
  await eventually(async () => (await workProcesses()).length === 0 || undefined);
  await eventually(async () => (await ownFiles()).length === 0 || undefined);
});

it('an unusable image of a UGC video is reported with its field', async () => {
  const combinedImages = [engine.at('astronaut.jpg'), engine.put(Buffer.from('<!doctype html>'))];
  expect(await engine.failure('video-ugc', input({ combinedImages }))).toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('combinedImages[1]'),
  });
});
