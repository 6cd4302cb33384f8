/** The files of test mode, decoded by other programs: they are whole, show the word TEST and say it. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { makeTestMedia } from '../../../shared/engines/test-mode/media/test-media.ts';
import { outputsOf } from '../../../shared/engines/test-mode/test-outputs.ts';
import { decode } from '../../offline-engine/speech/sound.ts';
import { seenVideo } from '../../offline-engine/video/seen-video.ts';
import { type ExpectedResult, type TestRequest, testRequests } from './test-requests.ts';

const word = [
  '##### #####  #### #####',
  '  #   #     #       #  ',
  '  #   #     #       #  ',
  '  #   ####   ###    #  ',
  '  #   #         #   #  ',
  '  #   #         #   #  ',
  '  #   ##### ####    #  ',
];

/** How much a pixel of the word differs from the background, in all its channels together. */
const contrast = 90;

/**
 * The word that is drawn in the picture, in the format of {@link word}. The lowest tenth is ignored, because a video
 * has its progress bar there.
 */
async function drawnIn(image: Uint8Array): Promise<readonly string[]> {
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const shown = Math.floor(info.height * 0.9);
  const differs = (x: number, y: number): boolean => {
    const at = (y * info.width + x) * 4;
    let sum = 0;
    for (let channel = 0; channel < 4; channel += 1) sum += Math.abs((data[at + channel] ?? 0) - (data[channel] ?? 0));
    return sum > contrast;
  };
  const [inRow, inColumn] = [new Uint8Array(shown), new Uint8Array(info.width)];
  for (let y = 0; y < shown; y += 1)
    for (let x = 0; x < info.width; x += 1) {
      if (!differs(x, y)) continue;
      inRow[y] = 1;
      inColumn[x] = 1;
    }
  const [top, left] = [inRow.indexOf(1), inColumn.indexOf(1)];
  const scale = (inRow.lastIndexOf(1) + 1 - top) / word.length;
  expect(scale).toBeCloseTo((inColumn.lastIndexOf(1) + 1 - left) / (word[0]?.length ?? 0), 0);
  return word.map((line, row) =>
    Array.from(line, (_, column) => {
      const [x, y] = [left + (column + 0.5) * scale, top + (row + 0.5) * scale].map(Math.floor);
      return differs(x ?? 0, y ?? 0) ? '#' : ' ';
    }).join(''),
  );
}

/** The red, green, blue and opacity of the top left corner. */
const cornerOf = (image: Uint8Array): Promise<Buffer> =>
  sharp(image).ensureAlpha().extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();

async function expectImage(
  file: Uint8Array,
  { contentType, width, height }: ExpectedResult,
  input: TestRequest['input'],
) {
  expect(await sharp(file).metadata()).toMatchObject({ format: contentType.replace('image/', ''), width, height });
  expect(await drawnIn(file)).toEqual(word);
  const corner = await cornerOf(file);
  const background = input.background as string | undefined;
  expect(corner[3]).toBe(background === 'transparent' ? 0 : 255);
  if (background?.startsWith('#')) expect(corner.toString('hex', 0, 3)).toBe(background.slice(1).toLowerCase());
}

/** Says the word loudly, with pauses, in about the expected time. */
async function expectSpeech(file: Uint8Array, durationSec: number) {
  const { samples, seconds } = await decode(file);
  expect(Math.abs(seconds - durationSec)).toBeLessThan(0.15);
  expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(5000);
  expect(samples.filter((sample) => Math.abs(sample) < 100).length).toBeGreaterThan(samples.length / 4);
}

async function expectVideo(file: Uint8Array, { width = 0, height = 0, durationSec = 0, hasSound }: ExpectedResult) {
  const seen = await seenVideo(Buffer.from(file));
  expect(seen.video).toMatchObject({ codec: 'avc', width, height, frames: Math.round(durationSec * 25) });
  expect(seen.seconds).toBeCloseTo(durationSec, 1);
  expect(seen.sound).toEqual(hasSound ? { codec: 'aac', channels: 1 } : undefined);
  expect(await drawnIn(seen.first)).toEqual(word);
  expect(await drawnIn(seen.last)).toEqual(word);
  expect(seen.first.equals(seen.last)).toBe(false);
  for (const frame of [seen.first, seen.last])
    expect(Math.max(...(await cornerOf(frame)).subarray(0, 3))).toBeLessThan(50);
  // Decodes every frame, and fails at the first error.
  await ffmpeg({ arguments: ['-xerror', '-i', 'pipe:0', '-f', 'null', '-'], input: file });
  if (hasSound) await expectSpeech(file, durationSec);
}

test.each(testRequests.map((request) => [request.name, request] as const))(
  'the first result of %s in test mode is a complete file that shows or says TEST',
  async (_, { taskType, input, derived, results }) => {
    const [output] = outputsOf(taskType, { ...input, ...derived });
    const [expected] = results;
    if (!(output && expected)) throw new Error('the request has no results');
    const file = makeTestMedia(output.url);
    if (expected.contentType === 'video/mp4') {
      await expectVideo(file, expected);
      const poster = makeTestMedia(output.posterUrl ?? '');
      await expectImage(poster, { ...expected, contentType: 'image/jpeg' }, {});
    } else if (expected.contentType === 'audio/mpeg') {
      await expectSpeech(file, expected.durationSec ?? 0);
    } else await expectImage(file, expected, input);
  },
);
