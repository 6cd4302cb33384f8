/** What distinguishes advertisements: its mode, its setting, its hook and its end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advertScene } from '../../../offline-engine/advert/advert-scene.ts';
import { backdropOf } from '../../../offline-engine/advert/backdrop.ts';
import { modeOf } from '../../../offline-engine/advert/modes/modes.ts';
import { type Stage, stageOf } from '../../../offline-engine/advert/stage.ts';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';
import { type Image, imageOf } from '../../../offline-engine/image/image.ts';
import { framesPerSecond } from '../../../offline-engine/video/encode-video.ts';
import { blankFrame, type Frame } from '../../../offline-engine/video/frame.ts';
import { defaultModes } from '../../../shared/catalog/studio-modes.ts';
import { defaultSettings } from '../../../shared/catalog/studio-settings.ts';
import { sample } from '../image-client.ts';

const size = { width: 108, height: 192 };
const seconds = 6;

let folder: string;
let product: Image;
let person: Image;
let stage: Stage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'advert-'));
  await prepareFonts(folder);
  const decoded = async (name: string) => imageOf(sharp(await sample(name)).resize(300), false);
  [product, person] = await Promise.all([decoded('coffee.png'), decoded('astronaut.jpg')]);
  stage = await stageOf({
    size,
    seconds,
    hasHook: true,
    place: 'cozinha',
    products: [product],
    avatar: { name: 'Ana', image: person },
  });
});
afterAll(() => rm(folder, { recursive: true }));

const hook = { id: 'desafio', title: 'Duvida? Então olha' };

const scene = (slug: string, changes: Partial<Parameters<typeof advertScene>[0]> = {}) =>
  advertScene({ stage, mode: modeOf(slug, true), hook, title: 'Caneca azul', line: undefined, ...changes });

const frameAt = (paint: (frame: Frame, index: number) => void, second: number): Uint32Array => {
  const frame = blankFrame(size);
  paint(frame, Math.round(second * framesPerSecond));
  return frame.pixels.map((pixel) => pixel & 0xffffff);
};

/** The mean difference per channel, from 0 to 255. */
const difference = (one: Uint32Array, other: Uint32Array): number => {
  let sum = 0;
  for (const [index, pixel] of one.entries()) {
    const [mine, theirs] = [pixel, other[index] ?? 0];
    for (const shift of [0, 8, 16]) sum += Math.abs(((mine >>> shift) & 255) - ((theirs >>> shift) & 255));
  }
  return sum / one.length / 3;
};

describe('advertisement modes', () => {
  it('of the default catalog all look different in the middle of the video', async () => {
    const frames = await Promise.all(
      defaultModes.map(async ({ slug }) => ({ slug, pixels: frameAt(await scene(slug), 3.3) })),
    );
    for (const [index, one] of frames.entries()) {
      for (const other of frames.slice(index + 1)) {
        expect([one.slug, other.slug, difference(one.pixels, other.pixels) > 12]).toEqual([one.slug, other.slug, true]);
      }
    }
  });

  it.each(defaultModes.map(({ slug }) => slug))('keep %s moving all the time', async (slug) => {
    const paint = await scene(slug);
    for (let second = 0.5; second < seconds - 0.5; second += 1) {
      expect(difference(frameAt(paint, second), frameAt(paint, second + 0.4))).toBeGreaterThan(0.25);
    }
  });

  it('added by an operator look like one of the default modes', async () => {
    expect(modeOf('nova', true)).toBe(modeOf('depoimento', true));
    expect(modeOf('nova', false)).toBe(modeOf('narracao', false));
    expect(modeOf('constructor', false)).toBe(modeOf('narracao', false));
  });
});

it('every default setting has its own backdrop, and so has an unknown setting', async () => {
  const places = [...defaultSettings.map(({ id }) => id), 'nave-espacial', 'lua'];
  const backdrops = await Promise.all(places.map((id) => backdropOf(id, size)));
  for (const [index, one] of backdrops.entries()) {
    for (const [further, other] of backdrops.slice(index + 1).entries()) {
      const pair = [places[index], places[index + 1 + further]];
      expect([...pair, difference(one.pixels, other.pixels) > 8]).toEqual([...pair, true]);
    }
  }
});

describe('the texts above an advertisement’s scene', () => {
  it('show the hook at the beginning and then hide it', async () => {
    const [shown, without] = [await scene('narracao'), await scene('narracao', { hook: undefined })];
    expect(difference(frameAt(shown, 1), frameAt(without, 1))).toBeGreaterThan(2);
    expect(difference(frameAt(shown, 3), frameAt(without, 3))).toBe(0);
  });

  it('show the call to action at the end only, with the name of the product', async () => {
    const [one, other] = [await scene('narracao'), await scene('narracao', { title: 'Tênis de corrida' })];
    expect(difference(frameAt(one, 3), frameAt(other, 3))).toBe(0);
    expect(difference(frameAt(one, 5.8), frameAt(other, 5.8))).toBeGreaterThan(0.5);
  });

  it('show the words while they are spoken', async () => {
    const line = { text: 'Olha que linda!', startSeconds: 2.5, seconds: 1 };
    const [spoken, silent] = [await scene('narracao', { line }), await scene('narracao')];
    expect(difference(frameAt(spoken, 2.2), frameAt(silent, 2.2))).toBe(0);
    expect(difference(frameAt(spoken, 3), frameAt(silent, 3))).toBeGreaterThan(0.5);
    expect(difference(frameAt(spoken, 3.8), frameAt(silent, 3.8))).toBe(0);
  });
});
