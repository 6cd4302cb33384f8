/**
 * Long videos with known scenes and pauses, at several frame rates: where they are cut, how precisely, and with how
 * much memory. `SOURCE_SECONDS=10800` makes them three hours long.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeSource, type SourceAnalysis } from '../../../offline-engine/clips/analyze-source.ts';
import { chooseClips } from '../../../offline-engine/clips/choose-clips.ts';
import { clipRate, fileRate } from '../../../offline-engine/clips/clip-rate.ts';
import { cutClip } from '../../../offline-engine/clips/cut-clip.ts';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import type { FetchedVideo } from '../../../offline-engine/video/fetch-video.ts';

/** The duration of the video; in shorter videos, scene changes are detected everywhere. */
const seconds = Number(process.env.SOURCE_SECONDS ?? 150);
const count = Math.max(3, Math.min(20, Math.round((3 * seconds) / 600)));
/** Alternating dark and bright scenes, and in the first half a pause at the end of every six seconds. */
const sceneSeconds = 17;
const lastPause = Math.floor(seconds / 2 / 6) * 6;
const bright = `drawbox=c=white:t=fill:enable='mod(floor(t/${sceneSeconds}),2)'`;
const framesAt = (rate: string) => `color=c=black:s=64x36:r=${rate},format=yuv420p,${bright}`;
const isHeard = `gt(lt(mod(t,6),5.4)+gt(t,${lastPause}),0)`;
const sound = `aevalsrc='0.3*sin(2*PI*220*t)*${isHeard}':s=8000`;

/** The frame rates of the sources, and of the clips cut from them. */
const rates = [
  { name: 'at 29.97 frames per second', frames: framesAt('30000/1001'), clipFrames: 30_000 / 1001 },
  { name: 'at 25 frames per second', frames: framesAt('25'), clipFrames: 25 },
  // A third of the frames is missing in every second period of five seconds.
  { name: 'with a variable rate', frames: `${framesAt('30')},select='gt(mod(t,10),5)+mod(n,3)'`, clipFrames: 30 },
] as const;

describe.each(rates)('a long video $name', ({ frames, clipFrames }) => {
  let folder: string;
  let video: FetchedVideo;
  let analysis: SourceAnalysis;
  let grownBytes: number;

  beforeAll(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'long-source-'));
      await mkdir(join(folder, 'files'));
      const path = join(folder, 'source.mp4');
      const sources = [frames, sound].flatMap((filter) => ['-f', 'lavfi', '-t', String(seconds), '-i', filter]);
      await ffmpeg({
        arguments: [...sources, ...'-pix_fmt yuv420p -preset ultrafast -g 300 -vsync vfr'.split(' '), path],
      });
      video = { path, field: 'videoUrl', format: 'mp4', width: 64, height: 36, framesSeconds: seconds, hasSound: true };
      const before = process.memoryUsage().rss;
      analysis = await analyzeSource(video, () => undefined);
      grownBytes = process.memoryUsage().rss - before;
      // The time limit, because videos of hours take minutes.
    },
    180_000 + seconds * 100,
  );
  afterAll(() => rm(folder, { recursive: true }));

  it('is analyzed in little memory, whatever its length', () => {
    expect(grownBytes).toBeLessThan(200 * 2 ** 20);
  });

  it('has its pauses detected', () => {
    expect(analysis.pauses).toHaveLength(lastPause / 6);
    for (const { start, end } of analysis.pauses) {
      expect(Math.abs((start % 6) - 5.4)).toBeLessThan(0.15);
      expect(Math.abs(end - Math.round(end / 6) * 6)).toBeLessThan(0.15);
    }
  });

  it('has its scene changes detected where there are no pauses', () => {
    const all = Array.from({ length: Math.ceil(seconds / sceneSeconds) - 1 }, (_, at) => (at + 1) * sceneSeconds);
    const scenes = all.filter((scene) => scene > lastPause);
    expect(analysis.scenes).toHaveLength(scenes.length);
    for (const [at, scene] of scenes.entries()) expect(Math.abs((analysis.scenes[at] ?? 0) - scene)).toBeLessThan(0.05);
  });

  it('is cut into clips of 15 to 90 seconds that begin and end within half a second of a pause or scene change', () => {
    const clips = chooseClips(analysis, count);
    expect(clips).toHaveLength(count);
    for (const { start, end } of clips) {
      expect(end - start).toBeGreaterThanOrEqual(15);
      expect(end - start).toBeLessThanOrEqual(90);
      for (const time of [start, end]) {
        const toScene = Math.abs(time - Math.round(time / sceneSeconds) * sceneSeconds);
        const inTurn = time % 6 >= 5.4 ? 0 : Math.min(time % 6, 5.4 - (time % 6));
        const toPause = time <= lastPause + 0.5 ? inTurn : Number.POSITIVE_INFINITY;
        expect(Math.min(toScene, toPause, seconds - time), `a cut at ${time}`).toBeLessThanOrEqual(0.5);
      }
    }
  });

  /** The mean brightness of each frame of a clip between two times. */
  const brightness = async (start: number, end: number): Promise<number[]> => {
    const clip = { start, end, score: 1 };
    const cut = {
      clip,
      position: 1,
      size: { width: 64, height: 36 },
      rate: clipRate(await fileRate(video.path)),
      crop: { width: 1, height: 1 },
      offset: '0',
    };
    const files = join(folder, 'files');
    const context = {
      filesDir: files,
      fileStem: 'a'.repeat(32),
      progress: () => undefined,
      startWorking: async () => undefined,
    };
    const { fileName } = await cutClip(video, cut, folder, context);
    const raw = await ffmpeg({
      arguments: ['-i', join(files, fileName), ...'-vf scale=1:1 -f rawvideo -pix_fmt gray pipe:1'.split(' ')],
    });
    return [...raw];
  };

  it('is cut exactly at the frame of a scene change, at the beginning and at the end of a clip', async () => {
    const scene = analysis.scenes.at(-1) ?? 0;
    const isBright = Math.round(scene / sceneSeconds) % 2 === 1;
    const after = await brightness(scene - 0.001, scene + 1);
    expect(after.map((value) => value > 128)).toEqual(after.map(() => isBright));
    expect(Math.abs(after.length - 1.001 * clipFrames)).toBeLessThanOrEqual(1);
    const before = await brightness(scene - 1, scene - 0.001);
    expect(before.map((value) => value > 128)).toEqual(before.map(() => !isBright));
  });
});
