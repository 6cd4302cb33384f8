/** Results whose audio codec cannot be measured: the video is measured, and the audio's declared duration counts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { measureVideo } from '../../../shared/domain/media/measure-result.ts';
import { measureFile } from '../../../shared/media-files/read-media.ts';

const folder = mkdtempSync(join(tmpdir(), 'measure-result-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pictureSec = 2;
const soundSec = 4;

async function videoWith(codec: string): Promise<() => AsyncIterable<Uint8Array>> {
  const path = join(folder, `${codec}.mp4`);
  const picture = ['-f', 'lavfi', '-t', String(pictureSec), '-i', 'testsrc=size=64x48:rate=10'];
  const sound = ['-f', 'lavfi', '-t', String(soundSec), '-i', 'sine=frequency=440'];
  const codecs = ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', codec, '-strict', 'experimental'];
  await ffmpeg({ arguments: [...picture, ...sound, ...codecs, '-y', path] });
  return async function* body() {
    yield readFileSync(path);
  };
}

test.for(['libopus', 'libmp3lame', 'ac3', 'flac'])(
  'a result video with %s sound has the sound’s declared duration, but such a video is rejected as an input',
  async (codec) => {
    const body = await videoWith(codec);
    expect(await measureVideo(body())).toEqual({
      width: 64,
      height: 48,
      durationSec: expect.closeTo(soundSec, 0),
      videoSec: expect.closeTo(pictureSec, 1),
    });
    expect(await measureFile({ access: 'stream', body: body(), close: () => undefined })).toMatchObject({
      fault: 'unmeasurable',
    });
  },
);
