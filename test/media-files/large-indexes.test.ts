/** Indexes of many megabytes, which a client could send many at a time. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measureFile } from '../../shared/media-files/read-media.ts';
import { boxOf, changedMp4, paths } from '../support/media/changed-mp4.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const megabyte = 2 ** 20;
const film = changedMp4(await tinyMp4(6, { index: 'last' }), {
  [paths.movieHeader]: (header) => Buffer.concat([boxOf('mvhd', header), boxOf('free', Buffer.alloc(12 * megabyte))]),
});

/** The video file, and the largest number of parts over a megabyte that were read from it at the same time. */
function watchedFile() {
  let [reading, most] = [0, 0];
  const read = async (start: number, end: number) => {
    const isLarge = end - start > megabyte;
    if (isLarge) reading += 1;
    most = Math.max(most, reading);
    await delay(1);
    if (isLarge) reading -= 1;
    return film.subarray(start, end);
  };
  return { file: { access: 'ranges', size: film.length, read } as const, mostLarge: () => most };
}

test('concurrent probes of media files read at most two large indexes at a time', async () => {
  const { file, mostLarge } = watchedFile();
  const probes = Array.from({ length: 8 }, () => measureFile(file, { isGlance: true, maxSeconds: 10_800 }));
  for (const found of await Promise.all(probes)) expect(found).toMatchObject({ durationSec: 6 });
  expect(mostLarge()).toBe(2);
});

test('a probe that fails to read its large index lets the next probe read its own', async () => {
  const { file } = watchedFile();
  const read = (start: number, end: number) =>
    end - start > megabyte ? Promise.reject(new Error('broken')) : file.read(start, end);
  for (let probe = 0; probe < 4; probe += 1) {
    await expect(measureFile({ ...file, read }, { isGlance: true })).rejects.toThrow('broken');
  }
  expect(await measureFile(file, { isGlance: true })).toMatchObject({ durationSec: 6 });
});

test('an index that is larger than the longest accepted file needs is refused without being read', async () => {
  const { file, mostLarge } = watchedFile();
  expect(await measureFile(file, { isGlance: true, maxSeconds: 30 })).toEqual({
    fault: 'contradictory',
    reason: 'has a larger index than 30 seconds need: shorten it, or encode it again',
  });
  expect(mostLarge()).toBe(0);
});
