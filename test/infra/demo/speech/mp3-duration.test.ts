import { expect, it } from 'vitest';
import { mp3Duration } from '../../../../infra/demo/speech/mp3-duration.ts';
import { ffmpeg } from '../../../../infra/offline-engine/ffmpeg.ts';
import { id3Tag } from '../../../../infra/offline-engine/speech/id3-tag.ts';

const tone = (format: string, ...options: string[]): Promise<Buffer> =>
  ffmpeg({ arguments: ['-f', 'lavfi', '-i', 'sine=duration=3', ...options, '-f', format, 'pipe:1'] });

it.each([
  ['MPEG 1, constant', ['-ar', '44100', '-b:a', '64k']],
  ['MPEG 1, variable', ['-ar', '48000', '-q:a', '4']],
  ['MPEG 2, stereo', ['-ar', '22050', '-ac', '2', '-b:a', '96k']],
  ['MPEG 2.5', ['-ar', '8000', '-b:a', '16k']],
  ['without encoder metadata', ['-ar', '44100', '-write_xing', '0']],
  ['with a tag at its end', ['-ar', '44100', '-write_id3v1', '1', '-metadata', 'title=Tone']],
])('measures a file of three seconds: %s', async (_, options) => {
  const seconds = mp3Duration(await tone('mp3', ...options));

  // The encoder pads the audio to whole frames of up to 72 ms.
  expect(seconds).toBeGreaterThanOrEqual(3);
  expect(seconds).toBeLessThan(3.2);
});

it('ignores a tag at the beginning', async () => {
  const sound = await tone('mp3', '-id3v2_version', '0');
  const tag = id3Tag({ title: 'Tone', artist: 'ffmpeg', language: 'eng', comment: 'x'.repeat(300) });

  expect(mp3Duration(Buffer.concat([tag, sound]))).toBe(mp3Duration(sound));
});

it.each([
  ['nothing', async () => Buffer.alloc(0)],
  ['a tag without sound', async () => id3Tag({ title: '', artist: '', language: 'eng', comment: '' })],
  ['text', async () => Buffer.from('<!doctype html><title>Not found</title>')],
  ['a WAV file', () => tone('wav')],
  ['an MP2 file', () => tone('mp2', '-ar', '44100')],
  ['a file that is cut off', async () => (await tone('mp3')).subarray(0, -100)],
  ['a file with something else in it', async () => (await tone('mp3')).fill(0, 5000, 6000)],
])('rejects %s', async (_, make) => {
  const file = await make();
  expect(() => mp3Duration(file)).toThrow(/^not an? (complete )?MP3: /);
});
