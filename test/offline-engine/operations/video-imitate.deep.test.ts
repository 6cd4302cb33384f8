/** A character that is moved like the subject of a video, and videos that cannot be imitated. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../../support/image-host.ts';
import { sample } from '../image-client.ts';
import { type PerformedFile, performOperation } from '../perform-operation.ts';
import { decode } from '../speech/sound.ts';
import { type SeenVideo, seenVideo } from '../video/seen-video.ts';

const seconds = 3;
/** The character: an upright red column in front of white. */
const column =
  '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="640"><rect width="360" height="640" fill="#eee"/><rect x="130" y="180" width="100" height="280" rx="30" fill="#c62828"/></svg>';
/** The position of the face in the moving image, in pixels from the image's center, around which it rotates. */
const face = { x: -20, y: -86 };
/** The movement of the face in the reference, in pixels of its frame of 360 × 640, and its rotation. */
const path = (time: number) => {
  const angle = 0.3 * Math.sin((2 * Math.PI * time) / 1.5);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    x: 60 * Math.sin((2 * Math.PI * time) / 3) + face.x * cos - face.y * sin,
    y: 70 * Math.sin((2 * Math.PI * time) / 2) + face.x * sin + face.y * cos,
    angle,
  };
};
const turning = "rotate='0.3*sin(2*PI*t/1.5)':c=gray";
const moving = "overlay=x='30+60*sin(2*PI*t/3)':y='140+70*sin(2*PI*t/2)':shortest=1";
const source = (filter: string, length = seconds) => ['-f', 'lavfi', '-t', String(length), '-i', filter];

let folder: string;
let host: ImageHost;
let made: PerformedFile;
let video: SeenVideo;
const served: Record<string, ImageResponse> = {};
const serve = (name: string, bytes: Buffer) => {
  served[name] = (response) => response.end(bytes);
};

const record = async (name: string, recipe: readonly string[]): Promise<Buffer> => {
  const file = join(folder, name);
  await ffmpeg({ arguments: [...recipe, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', file] });
  return readFile(file);
};

const imitate = async (motionVideo: string, quality = '720p') => {
  const input = { characterImage: host.url('column.png'), motionVideo: host.url(motionVideo), quality };
  const [file] = await performOperation('video-imitate', input, join(folder, 'files'));
  return file ?? expect.fail('there is no result');
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imitate-'));
  host = await imageHost(served);
  serve('column.png', await sharp(Buffer.from(column)).png().toBuffer());
  const photograph = join(folder, 'face.jpg');
  await writeFile(photograph, await sample('astronaut.jpg'));
  const graph = `[0]scale=300:300,${turning}[face];[1][face]${moving}[v]`;
  const sources = [...source('color=c=gray:s=360x640:r=15'), ...source('sine=frequency=440', seconds + 2)];
  const tracks = '-map [v] -map 2:a'.split(' ');
  const faceMoves = ['-loop', '1', '-i', photograph, ...sources, '-filter_complex', graph, ...tracks];
  serve('face.mp4', await record('face.mp4', faceMoves));
  made = await imitate('face.mp4');
  video = await seenVideo(made.bytes);
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** The position of the red column in each tenth of a second, in pixels, and its tilt. */
const columnPath = async (bytes: Buffer) => {
  const file = join(folder, 'result.mp4');
  await writeFile(file, bytes);
  const [width, height] = [90, 160];
  const raw = await ffmpeg({
    arguments: ['-i', file, ...`-vf fps=10,scale=${width}:${height} -f rawvideo -pix_fmt rgb24 pipe:1`.split(' ')],
  });
  return Array.from({ length: Math.floor(raw.length / (width * height * 3)) }, (_, index) => {
    const frame = raw.subarray(index * width * height * 3, (index + 1) * width * height * 3);
    const sums = { count: 0, x: 0, y: 0, yy: 0, xy: 0 };
    for (let at = 0; at < width * height; at += 1) {
      if ((frame[at * 3] ?? 0) - (frame[at * 3 + 1] ?? 0) < 60) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      sums.count += 1;
      sums.x += x;
      sums.y += y;
      sums.yy += y * y;
      sums.xy += x * y;
    }
    const [x, y] = [sums.x / sums.count, sums.y / sums.count];
    const lean = -(sums.xy / sums.count - x * y) / (sums.yy / sums.count - y * y);
    return { x: x * 8, y: y * 8, angle: Math.atan(lean) };
  });
};

const correlation = (one: readonly number[], other: readonly number[]): number => {
  const centered = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const [a, b] = [centered(one), centered(other)];
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
};

describe('a video of a character that imitates a face', () => {
  it('is a 9:16 MP4 with a poster, and lasts as long as the reference’s frames even if its sound is longer', () => {
    expect(video).toMatchObject({
      video: { codec: 'avc', width: 720, height: 1280 },
      sound: { codec: 'aac' },
    });
    expect(Math.abs(video.seconds - seconds)).toBeLessThanOrEqual(0.1);
    expect(made).toMatchObject({ contentType: 'video/mp4', width: 720, height: 1280, durationSec: seconds });
    expect(made.posterName).toMatch(/-1\.jpg$/);
  });

  it('follows the position and tilt of the face', async () => {
    const found = await columnPath(made.bytes);
    const expected = found.map((_, index) => path(index / 10));
    for (const part of ['x', 'y', 'angle'] as const) {
      const values = found.map((pose) => pose[part]);
      const wanted = expected.map((pose) => pose[part]);
      expect(correlation(values, wanted), part).toBeGreaterThan(0.9);
      const range = (list: readonly number[]) => Math.max(...list) - Math.min(...list);
      // One pixel of the reference corresponds to two pixels of the result.
      const factor = part === 'angle' ? 1 : 2;
      expect(range(values) / range(wanted) / factor, part).toBeGreaterThan(0.6);
      expect(range(values) / range(wanted) / factor, part).toBeLessThan(1.4);
    }
  });

  it('has the sound of the reference', async () => {
    const { samples, seconds: heard } = await decode(made.bytes);
    expect(Math.abs(heard - seconds)).toBeLessThanOrEqual(0.1);
    const crossings = samples.filter((value, at) => value >= 0 !== (samples[at - 1] ?? 0) >= 0).length;
    expect(crossings / heard / 2).toBeGreaterThan(420);
    expect(crossings / heard / 2).toBeLessThan(460);
  });

  it('leaves only the video and its poster in the engine’s folder', async () => {
    const names = (await readdir(join(folder, 'files'))).filter((name) => /^[0-9a-f]{32}/.test(name));
    expect(names.map((name) => name.slice(32)).sort()).toEqual(['-1.jpg', '.mp4']);
  });
});

describe('the reference video of a motion transfer', () => {
  it.each([
    ['dance.mov', ['-c:a', 'pcm_s16le']],
    ['dance.mkv', ['-c:a', 'flac']],
    ['dance.webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ])('may be %s, and gives its duration and its sound to the resulting MP4', async (name, codecs) => {
    const tracks = [...source('testsrc=s=180x320:r=10'), ...source('sine=frequency=440')];
    serve(name, await record(name, [...tracks, ...codecs]));
    const result = await imitate(name);
    const { video: frames, sound, seconds: length } = await seenVideo(result.bytes);
    expect([frames, sound]).toMatchObject([{ codec: 'avc', width: 720, height: 1280 }, { codec: 'aac' }]);
    expect(Math.abs(length - seconds)).toBeLessThanOrEqual(0.15);
    const { samples, seconds: heard } = await decode(result.bytes);
    const crossings = samples.filter((value, at) => value >= 0 !== (samples[at - 1] ?? 0) >= 0).length;
    expect(crossings / heard / 2).toBeGreaterThan(400);
    expect(crossings / heard / 2).toBeLessThan(480);
  });
});
