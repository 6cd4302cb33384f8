/** Which WAV files contradict themselves. */
import { expect, test } from 'vitest';
import { contradictsItself } from '../../shared/media-files/wav-head.ts';
import { tinyWav } from '../support/tiny-sound.ts';

/** With the lengths that it declares of itself and of its sound. */
const declaring = (file: number, sound: number): Buffer => {
  const wav = tinyWav(1);
  wav.writeUInt32LE(file, 4);
  wav.writeUInt32LE(sound, 40);
  return wav;
};

const withListBefore = (wav: Buffer): Buffer => {
  const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
  return Buffer.concat([wav.subarray(0, 12), list, wav.subarray(12)]);
};

test.for<[string, Buffer, boolean]>([
  ['an honest one', tinyWav(1), false],
  ['one of unknown lengths, as programs write to pipes', declaring(2 ** 32 - 1, 2 ** 32 - 1), false],
  ['one that forgets its head', declaring(8000, 8000), false],
  ['one with more sound than file', declaring(2000, 8000), true],
  ['one with more sound than file behind other chunks', withListBefore(declaring(2000, 8000)), true],
  ['one without sound', tinyWav(1).subarray(0, 36), false],
  ['an empty one', Buffer.alloc(0), false],
])('%s', ([, wav, expected]) => {
  expect(contradictsItself(wav)).toBe(expected);
});
