import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplesPerSecond, silentSound } from '../../../offline-engine/sound/sound.ts';
import { encodeVideo } from '../../../offline-engine/video/encode-video.ts';
import { seenVideo } from './seen-video.ts';

let filesDir: string;
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'encode-video-'));
});
afterAll(() => rm(filesDir, { recursive: true }));

const stem = 'a'.repeat(32);
const size = { width: 72, height: 128 };
const context = { filesDir: '', fileStem: stem, progress: () => undefined, startWorking: async () => undefined };

/** Encodes a video whose pixels change from red to blue over 60 frames. */
const encode = (seconds: number, changes: Partial<Parameters<typeof encodeVideo>[0]> = {}) =>
  encodeVideo(
    {
      size,
      seconds,
      paint: ({ pixels }, index) => void pixels.fill(index < 15 ? 0x0000f0 : 0xf00000),
      sound: silentSound(seconds),
      remark: 'A test.',
      ...changes,
    },
    { ...context, filesDir },
    () => undefined,
  );

const meanOf = async (image: Buffer) => (await sharp(image).stats()).channels.map(({ mean }) => mean);

test.each([0.5, 1.3])(
  'an encoded video of %f s has exactly the given frames, their colors and a poster',
  async (seconds) => {
    const file = await encode(seconds);
    expect(file).toEqual({
      fileName: `${stem}.mp4`,
      contentType: 'video/mp4',
      ...size,
      durationSec: seconds,
      posterName: `${stem}-1.jpg`,
    });
    const video = await seenVideo(await readFile(join(filesDir, file.fileName)));
    expect(video.video).toMatchObject({ ...size, frames: seconds * 30 });
    expect(Math.abs(video.seconds - seconds)).toBeLessThanOrEqual(0.1);
    const [red = 0, , blue = 0] = await meanOf(await readFile(join(filesDir, `${stem}-1.jpg`)));
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(30);
    if (seconds > 0.5) expect((await meanOf(video.last))[2]).toBeGreaterThan(200);
    expect((await readdir(filesDir)).sort()).toEqual([`${stem}-1.jpg`, `${stem}.mp4`]);
  },
);

test('sound that is shorter or longer than the encoded frames does not change the video’s duration', async () => {
  for (const soundSeconds of [0.2, 2]) {
    const tone = Float32Array.from({ length: soundSeconds * samplesPerSecond }, (_, at) => Math.sin(at / 20) / 4);
    await encode(0.6, { sound: tone });
    const { seconds } = await seenVideo(await readFile(join(filesDir, `${stem}.mp4`)));
    expect(Math.abs(seconds - 0.6)).toBeLessThanOrEqual(0.1);
  }
});

test('a frame that cannot be painted ends the video encoder, and the encoder’s folder is removed', async () => {
  const fileStem = 'b'.repeat(32);
  const paint = (_: unknown, index: number) => {
    if (index === 5) throw new Error('no paint left');
  };
  const encoded = encodeVideo(
    { size, seconds: 1, paint, sound: silentSound(1), remark: 'A test.' },
    { ...context, filesDir, fileStem },
    () => undefined,
  );
  await expect(encoded).rejects.toThrow('no paint left');
  expect((await readdir(filesDir)).filter((name) => name.startsWith(fileStem))).toEqual([]);
});
