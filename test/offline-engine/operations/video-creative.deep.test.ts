import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageEngine, sample, startImageEngine } from '../image-client.ts';
import { decode, loudnessDb } from '../speech/sound.ts';
import { type SeenVideo, seenVideo } from '../video/seen-video.ts';

let engine: ImageEngine;
/** A video that moves from one image to another, with sound; and one of generated art, without sound. */
let [framed, free]: [SeenVideo?, SeenVideo?] = [];
let file: Buffer;
let poster: Buffer;

beforeAll(async () => {
  engine = await startImageEngine();
  const small = { durationSec: 4, resolution: '480p' };
  const frames = { imageUrl: engine.at('coffee.png'), lastImageUrl: engine.at('rocket.jpg') };
  const made = await engine.makeVideo('video-creative', { prompt: 'Café ao amanhecer', ...frames, ...small });
  [file, poster] = [made.video, made.poster];
  const silent = { prompt: 'Um farol', aspectRatio: '1:1', audio: false, ...small };
  [framed, free] = [await seenVideo(file), await seenVideo((await engine.makeVideo('video-creative', silent)).video)];
});
afterAll(() => engine.close());

/** The mean difference per channel, from 0 to 255, of small versions of two images. */
const difference = async (one: Buffer | undefined, other: Buffer | undefined): Promise<number> => {
  const small = (image: Buffer | undefined) =>
    sharp(image).removeAlpha().resize(36, 64, { fit: 'cover', position: sharp.strategy.attention }).raw().toBuffer();
  const [left, right] = await Promise.all([small(one), small(other)]);
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
};

describe('a creative video of the offline engine', () => {
  it('is an MP4 of the requested duration and size, with H.264 and stereo AAC', () => {
    expect(framed).toMatchObject({
      video: { codec: 'avc', width: 480, height: 854, frames: 120 },
      sound: { codec: 'aac', channels: 2 },
    });
    expect(Math.abs((framed?.seconds ?? 0) - 4)).toBeLessThanOrEqual(0.1);
  });

  it('begins with the first image and ends with the last one', async () => {
    const [first, last] = [await sample('coffee.png'), await sample('rocket.jpg')];
    expect(await difference(framed?.first, first)).toBeLessThan(24);
    expect(await difference(framed?.last, last)).toBeLessThan(24);
    expect(await difference(framed?.first, last)).toBeGreaterThan(40);
    expect(await difference(poster, framed?.first)).toBeLessThan(8);
  });

  it('has sound that is audible from beginning to end and does not clip', async () => {
    const sound = await decode(file);
    for (const [from, to] of [
      [0.2, 1],
      [3, 3.8],
    ] as const) {
      expect(loudnessDb(sound, from, to).meanDb).toBeGreaterThan(-40);
      expect(loudnessDb(sound, from, to).peakDb).toBeLessThan(-0.1);
    }
  });

  it('without images or sound shows an animated background and has no audio track', async () => {
    expect(free).toMatchObject({ video: { width: 480, height: 480, frames: 120 }, sound: undefined });
    expect((await sharp(free?.first).stats()).entropy).toBeGreaterThan(5);
    expect(await difference(free?.first, free?.last)).toBeGreaterThan(10);
  });
});

it('an unusable image of a creative video is reported with its field', async () => {
  const lastImageUrl = engine.put(Buffer.from('<!doctype html>'));
  const input = { prompt: 'Um farol', imageUrl: engine.at('coffee.png'), lastImageUrl };
  expect(await engine.failure('video-creative', input)).toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('lastImageUrl'),
  });
});
