import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageEngine, startImageEngine } from '../image-client.ts';
import { performOperation } from '../perform-operation.ts';
import { decode, loudnessDb } from '../speech/sound.ts';
import { type SeenVideo, seenVideo } from '../video/seen-video.ts';

let engine: ImageEngine;
let folder: string;

const input = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  mode: 'unboxing',
  resolution: '480p',
  aspectRatio: '9:16',
  durationSec: 4,
  scene: { mode: { slug: 'unboxing' }, hook: { id: 'desafio', title: 'Duvida?' }, setting: { id: 'cozinha' } },
  speechPolicy: 'optional',
  line: 'Olha só a minha caneca!',
  product: { title: 'Caneca azul', description: 'Feita à mão.', images: [engine.at('coffee.png')] },
  avatar: { name: 'Ana', gender: 'feminino', image: engine.at('astronaut.jpg') },
  ...changes,
});

const render = async (changes: Readonly<Record<string, unknown>> = {}) => {
  // The input as the engine receives it, without undefined members.
  const received = JSON.parse(JSON.stringify(input(changes))) as unknown;
  const files = await performOperation('video-studio', received, folder);
  const [file] = files;
  if (!file) throw new Error('there is no result');
  return file;
};

beforeAll(async () => {
  [engine, folder] = await Promise.all([startImageEngine(), mkdtemp(join(tmpdir(), 'video-studio-'))]);
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

describe('a Studio video of the offline engine with a spoken line', () => {
  let file: Awaited<ReturnType<typeof render>>;
  let video: SeenVideo;
  beforeAll(async () => {
    file = await render();
    video = await seenVideo(file.bytes);
  });

  it('is an MP4 of exactly the requested size and duration, with H.264 and AAC', () => {
    expect(file).toMatchObject({ contentType: 'video/mp4', width: 480, height: 854, durationSec: 4 });
    expect(video).toMatchObject({
      video: { codec: 'avc', width: 480, height: 854, frames: 120 },
      sound: { codec: 'aac' },
    });
    expect(Math.abs(video.seconds - 4)).toBeLessThanOrEqual(0.1);
  });

  it('has audible speech above its music and does not clip', async () => {
    const sound = await decode(file.bytes);
    const [before, speaking] = [loudnessDb(sound, 0, 0.35), loudnessDb(sound, 0.5, 1.5)];
    expect(speaking.meanDb).toBeGreaterThan(before.meanDb + 8);
    expect(speaking.peakDb).toBeLessThan(-0.1);
  });
});

describe('a Studio video of the offline engine without speech', () => {
  it('has the landscape format if requested, and has music', async () => {
    const file = await render({
      aspectRatio: '21:9',
      scene: { mode: { slug: 'vitrine' } },
      speechPolicy: 'forbidden',
      line: undefined,
      avatar: undefined,
    });
    expect(file).toMatchObject({ width: 1120, height: 480, durationSec: 4 });
    const sound = await decode(file.bytes);
    expect(loudnessDb(sound, 0.5, 3.5).meanDb).toBeGreaterThan(-35);
  });
});

it('an unusable image of a Studio video is reported with its field', async () => {
  const image = engine.put(Buffer.from('<!doctype html>'));
  expect(await engine.failure('video-studio', input({ avatar: { name: 'Ana', image } }))).toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('avatar.image'),
  });
});
