/** The templates of user-generated videos, painted at a tenth of their size. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';
import { type Image, imageOf } from '../../../offline-engine/image/image.ts';
import { templates } from '../../../offline-engine/ugc/templates.ts';
import { ugcScene } from '../../../offline-engine/ugc/ugc-scene.ts';
import { blankFrame } from '../../../offline-engine/video/frame.ts';
import { ugcTemplates } from '../../../shared/contracts/generate-videos.ts';
import { sample } from '../image-client.ts';

const size = { width: 72, height: 128 };
const times = [0, 1.5, 3, 4.5, 7.9];

type Name = (typeof ugcTemplates)[number];

const lastIndex = 8 * 30 - 1;

const filmed = new Map<Name, readonly Uint32Array[]>();
/** Frames of an image in which only the upper eighth is bright. */
const skies = new Map<Name, readonly Uint32Array[]>();
const ended = new Map<Name, { readonly after: Uint32Array; readonly alone: Uint32Array }>();
let filesDir: string;

beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ugc-templates-'));
  await prepareFonts(filesDir);
  const image = await imageOf(sharp(await sample('astronaut.jpg')).resize(180, 320, { fit: 'cover' }), false);
  const last = await imageOf(sharp(await sample('coffee.png')).resize(180, 320, { fit: 'cover' }), false);
  const sky = await imageOf(
    sharp({ create: { width: 180, height: 320, channels: 3, background: '#202020' } }).composite([
      { input: { create: { width: 180, height: 38, channels: 3, background: '#ffffff' } }, left: 0, top: 0 },
    ]),
    false,
  );
  const scene = {
    size,
    seconds: 8,
    speech: { startSeconds: 0.5, seconds: 1, sound: new Float32Array(48_000) },
    words: 'Olha!',
  };
  const frameAt = async (paint: Awaited<ReturnType<typeof ugcScene>>, index: number) => {
    const frame = blankFrame(size);
    paint(frame, index);
    return frame.pixels;
  };
  for (const name of ugcTemplates) {
    const paintWith = (images: readonly Image[]) => ugcScene({ ...scene, template: templates[name], images });
    const paint = await paintWith([image]);
    const frames: Uint32Array[] = [];
    for (const time of times) frames.push(await frameAt(paint, Math.round(time * 30)));
    filmed.set(name, frames);
    const paintSky = await paintWith([sky]);
    skies.set(name, await Promise.all(times.map((time) => frameAt(paintSky, Math.round(time * 30)))));
    const [both, alone] = await Promise.all([paintWith([image, last]), paintWith([last])]);
    ended.set(name, { after: await frameAt(both, lastIndex), alone: await frameAt(alone, lastIndex) });
  }
});
afterAll(() => rm(filesDir, { recursive: true }));

/** The mean difference per channel between the middle parts of two frames, where there is no text. */
const difference = (one?: Uint32Array, other?: Uint32Array): number => {
  let sum = 0;
  const [first, last] = [20 * size.width, 80 * size.width];
  for (let at = first; at < last; at += 1) {
    for (const shift of [0, 8, 16]) {
      sum += Math.abs((((one?.[at] ?? 0) >>> shift) & 255) - (((other?.[at] ?? 0) >>> shift) & 255));
    }
  }
  return sum / 3 / (last - first);
};

test.for(ugcTemplates)('the UGC template %s looks different from every other one', (name) => {
  for (const other of ugcTemplates.filter((candidate) => candidate !== name)) {
    const max = Math.max(...times.map((_, at) => difference(filmed.get(name)?.[at], filmed.get(other)?.[at])));
    expect(max, `${name} and ${other}`).toBeGreaterThan(6);
  }
});

test.for(ugcTemplates)('the UGC template %s shows movement', (name) => {
  const frames = filmed.get(name) ?? [];
  const changes = frames.slice(1).map((frame, index) => difference(frames[index], frame));
  expect(Math.min(...changes)).toBeGreaterThan(1);
});

test.for(ugcTemplates)('the UGC template %s ends by showing the last image alone', (name) => {
  const { after, alone } = ended.get(name) ?? {};
  expect(after).toEqual(alone);
  expect(difference(after, filmed.get(name)?.at(-1))).toBeGreaterThan(20);
});

test.for(ugcTemplates)('the UGC template %s does not cut off heads at the upper edge', (name) => {
  const greenAt = (pixels: Uint32Array, row: number) =>
    ((pixels[Math.round(row * size.height) * size.width + size.width / 2] ?? 0) >>> 8) & 255;
  for (const [index, pixels] of (skies.get(name) ?? []).entries()) {
    expect(greenAt(pixels, 0.07) - greenAt(pixels, 0.4), `at ${times[index]} s`).toBeGreaterThan(80);
  }
  expect(skies.get(name)).toHaveLength(times.length);
});
