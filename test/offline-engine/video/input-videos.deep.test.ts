/**
 * Videos that an operation downloads and decodes: hostile ones are rejected, and unusual ones are decoded as players
 * show them.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { decodeFrames, decodeSound } from '../../../offline-engine/video/decode-video.ts';
import { fetchVideo } from '../../../offline-engine/video/fetch-video.ts';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../../support/image-host.ts';
import { withRotation } from '../../support/tiny-video.ts';

/** A video that is black on the left and white on the right for two seconds, and then white on the left. */
const halves = "color=black:s=160x90:r=10,geq=lum='if(lt(T,2),255*gte(X,80),255*lt(X,80))':cb=128:cr=128";
const small = ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
const source = (filter: string) => ['-f', 'lavfi', '-i', filter];
const recipes: Readonly<Record<string, readonly string[]>> = {
  'halves.mp4': ['-f', 'lavfi', '-i', halves, '-t', '4', ...small, '-movflags', 'faststart'],
  'uneven.mp4': [
    ...source(halves),
    ..."-t 4 -vf select='lt(t,1)+gt(t,1.9)*not(mod(n,10))' -vsync vfr".split(' '),
    ...small,
  ],
  'tone.mp4': [...source('color=s=16x16:r=10'), ...source('sine=frequency=440'), ...small, ...'-t 3'.split(' ')],
  'wide.mp4': ['-f', 'lavfi', '-i', 'color=s=10000x10:r=1', '-t', '3', ...small],
  'sound.mp4': ['-f', 'lavfi', '-i', 'sine=frequency=440', '-t', '3'],
};

let folder: string;
let host: ImageHost;
const made = new Map<string, Buffer>();
const served: Record<string, ImageResponse> = {
  'page.mp4': (response) => void response.end('<!doctype html>'),
  'gone.mp4': (response) => void response.writeHead(404).end(),
  'elsewhere.mp4': (response) => void response.writeHead(302, { location: '/halves.mp4' }).end(),
  'endless.mp4': (response) => {
    const block = Buffer.alloc(2 ** 20);
    const more = (): void => {
      while (!response.destroyed && response.write(block));
      response.once('drain', more);
    };
    more();
  },
};
const serve = (name: string, bytes: Buffer) => {
  served[name] = (response) => response.end(bytes);
};

let downloads = 0;
const fetched = async (name: string) => {
  downloads += 1;
  const own = join(folder, String(downloads));
  await mkdir(own);
  return fetchVideo({ url: host.url(name), field: 'motionVideo' }, own);
};
const sampling = { framesPerSecond: 10, longestSide: 32 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'input-videos-'));
  host = await imageHost(served);
  for (const [name, recipe] of Object.entries(recipes)) {
    await ffmpeg({ arguments: [...recipe, join(folder, name)] });
    made.set(name, await readFile(join(folder, name)));
    serve(name, made.get(name) ?? Buffer.alloc(0));
  }
  const whole = made.get('halves.mp4') ?? Buffer.alloc(0);
  serve('turned.mp4', withRotation(whole));
  serve('cut.mp4', whole.subarray(0, whole.indexOf('mdat') + Math.round((whole.length - whole.indexOf('mdat')) / 3)));
  const broken = Buffer.from(whole);
  broken.fill(0xff, whole.indexOf('mdat') + 4);
  serve('broken.mp4', broken);
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Which of a frame's four quarters are white. */
const brightness = ({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }) => {
  const at = (x: number, y: number) =>
    (pixels[(Math.floor(y * height) * width + Math.floor(x * width)) * 4] ?? 0) > 128;
  return { left: at(0.2, 0.5), right: at(0.8, 0.5), top: at(0.5, 0.2), bottom: at(0.5, 0.8) };
};

describe('an input video that cannot be used', () => {
  it.each([
    ['page.mp4', 'INPUT_INVALID', 'motionVideo is not a video of an accepted type.'],
    ['sound.mp4', 'INPUT_INVALID', 'motionVideo is not a video of an accepted type.'],
    ['cut.mp4', 'INPUT_INVALID', 'motionVideo is not a video of an accepted type.'],
    ['wide.mp4', 'INPUT_INVALID', 'motionVideo has a side of over 4096 pixels.'],
    ['endless.mp4', 'INPUT_INVALID', `motionVideo has over ${inputLimits.video.maxBytes} bytes.`],
    ['gone.mp4', 'DOWNLOAD_FAILED', 'motionVideo could not be downloaded: the response was 404.'],
    ['elsewhere.mp4', 'DOWNLOAD_FAILED', 'motionVideo could not be downloaded: the response was 302.'],
  ])('is reported with its field before it is decoded: %s', async (name, code, message) => {
    await expect(fetched(name)).rejects.toMatchObject({ code, message });
  });

  it('is reported with its field when decoding it fails', async () => {
    await expect(decodeFrames(await fetched('broken.mp4'), sampling)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/^motionVideo (is incomplete|has frames that cannot be decoded)\.$/),
    });
  });
});

it('no memory is allocated for the frames of an input video that are larger than its container declares', async () => {
  const path = join(folder, 'bomb.mp4');
  const large = [...source('color=s=8000x6000:r=1,format=gray'), '-frames:v', '1', '-c:v', 'png'];
  await ffmpeg({ arguments: ['-max_alloc', String(2 ** 30), ...large, path] });
  const said = {
    path,
    field: 'motionVideo',
    format: 'mp4',
    width: 160,
    height: 90,
    seconds: 1,
    framesSeconds: 1,
    hasSound: false,
  };
  await expect(decodeFrames(said, sampling)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});

describe('the frames of an input video', () => {
  it('are those that the video shows at the requested times, whatever the video’s frame rate', async () => {
    for (const name of ['halves.mp4', 'uneven.mp4']) {
      const frames = await decodeFrames(await fetched(name), sampling);
      expect(frames.length, name).toBeGreaterThanOrEqual(30);
      expect(frames[0], name).toMatchObject({ width: 32, height: 18 });
      for (const [index, frame] of frames.entries()) {
        if (Math.abs(index - 20) <= 1) continue;
        expect(brightness(frame), `${name} at ${index}`).toMatchObject({ left: index > 20, right: index < 20 });
      }
    }
  });

  it('are upright even if the video was recorded rotated', async () => {
    const video = await fetched('turned.mp4');
    expect(video).toMatchObject({ width: 90, height: 160 });
    const [frame] = await decodeFrames(video, sampling);
    expect(frame).toMatchObject({ width: 18, height: 32 });
    if (frame) expect(brightness(frame)).toMatchObject({ top: false, bottom: true });
  });
});

describe('the sound of an input video', () => {
  it('has exactly the requested duration', async () => {
    const sound = await decodeSound(await fetched('tone.mp4'), 3.5);
    expect(sound.length).toBe(2 * 168_000);
    expect(sound.slice(0, 280_000).some((value) => value > 0.05)).toBe(true);
    expect(sound.slice(300_000).every((value) => value === 0)).toBe(true);
  });

  it('is silence if the video has no sound', async () => {
    const sound = await decodeSound(await fetched('halves.mp4'), 1);
    expect(sound.length).toBe(96_000);
    expect(sound.every((value) => value === 0)).toBe(true);
  });
});
