/** The modes of advertisements, painted at a tenth of their size, and the positions of their texts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Advert, advertScene, advertTexts } from '../../../offline-engine/advert/advert-scene.ts';
import { modeOf } from '../../../offline-engine/advert/modes.ts';
import { type Stage, stageOf } from '../../../offline-engine/advert/stage.ts';
import type { Box } from '../../../offline-engine/image/box.ts';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';
import { imageOf } from '../../../offline-engine/image/image.ts';
import { blankFrame } from '../../../offline-engine/video/frame.ts';
import type { Layer } from '../../../offline-engine/video/scene.ts';
import { defaultModes } from '../../../shared/catalog/studio-modes.ts';
import { aspectRatios } from '../../../shared/contracts/image-files.ts';
import { videoFrame } from '../../../shared/contracts/video-frame.ts';
import { sample } from '../image-client.ts';

const small = { width: 108, height: 192 };
const seconds = 8;
const advert = (slug: string, changes: Partial<Advert> = {}): Advert => ({
  size: small,
  seconds,
  mode: modeOf(slug, true),
  hook: undefined,
  title: 'Café da Serra torrado em grãos selecionados',
  line: undefined,
  ...changes,
});

let folder: string;
let stage: Stage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'advert-'));
  await prepareFonts(folder);
  const decoded = async (name: string) => imageOf(sharp(await sample(name)).resize(300), false);
  const [product, avatar] = [await decoded('coffee.png'), await decoded('astronaut.jpg')];
  const talk = { seconds, seed: 'Café', speech: new Float32Array(48_000).fill(0.3), startSeconds: 1 };
  stage = await stageOf({ size: small, place: 'cozinha', products: [product], avatar, talk });
});
afterAll(() => rm(folder, { recursive: true }));

/** The bytes of the frames at some seconds, without the unused ones. */
const framesOf = async (given: Advert, times: readonly number[]) => {
  const paint = await advertScene(given, stage);
  return times.map((time) => {
    const frame = blankFrame(small);
    paint(frame, Math.round(time * 30));
    return new Uint8Array(frame.pixels.map((pixel) => pixel & 0xffffff).buffer);
  });
};

/** The mean difference between two frames per channel, from 0 to 255. */
const difference = (one: Uint8Array = new Uint8Array(), other: Uint8Array = new Uint8Array()): number =>
  (one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length) * (4 / 3);

describe('the scene for an advertisement mode', () => {
  it('of the default catalog looks different from that of every other mode, and never stands still', async () => {
    const times = [0.5, 0.9, 2.5, 2.9, 4.3, 4.7, 6.5, 6.9];
    const filmed = await Promise.all(defaultModes.map(({ slug }) => framesOf(advert(slug), times)));
    for (const [index, frames] of filmed.entries()) {
      const slug = defaultModes[index]?.slug;
      for (let at = 0; at < times.length; at += 2) {
        expect(difference(frames[at], frames[at + 1]), `${slug} at ${times[at]} s`).toBeGreaterThan(0.25);
      }
      for (const other of filmed.slice(index + 1)) expect(difference(frames[4], other[4]), slug).toBeGreaterThan(8);
    }
  });

  it('that an operator has added looks like that of one of the default modes', () => {
    expect(modeOf('nova', true)).toBe(modeOf('depoimento', true));
    expect(modeOf('constructor', false)).toBe(modeOf('narracao', false));
  });
});

it('an advertisement shows the hook at the beginning, the words as they are spoken, and the product’s name at the end', async () => {
  const times = [1, 3.2, 4, 7.5];
  const [plain = [], ...others] = await Promise.all(
    [
      {},
      { hook: 'Duvida?' },
      { line: { text: 'Olha que linda!', startSeconds: 3.5, seconds: 1 } },
      { title: 'Tênis de corrida' },
    ].map((changes) => framesOf(advert('narracao', changes), times)),
  );
  const changed = others.map((frames) => frames.map((frame, index) => difference(frame, plain[index]) > 0.3));
  expect(changed).toEqual([
    [true, false, false, false],
    [false, false, true, false],
    [false, false, false, true],
  ]);
});

const boxesOf = (layer: Layer, time: number): readonly Box[] =>
  layer(time).map(({ sprite, place: { x, y, scale = 1 } }) => {
    const [width, height] = [sprite.width * scale, sprite.height * scale];
    return { left: x - width / 2, top: y - height / 2, width, height };
  });
const isInside = ({ left, top, width, height }: Box, size: Advert['size']): boolean =>
  left >= 0 && top >= 0 && left + width <= size.width && top + height <= size.height;
const overlap = (one: Box, other: Box): boolean =>
  Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top) > 1;

describe('the texts of an advertisement', () => {
  it.each(aspectRatios)('lie within the frame and do not overlap (%s)', async (ratio) => {
    const size = videoFrame('480p', ratio);
    const text =
      'Conheça: Café da Serra. Grãos torrados extraordinariamente bem, com notas de chocolate. Garanta já o seu!';
    const said = { size, hook: 'Olha a diferença', line: { text, startSeconds: 0.1, seconds: 7.8 } };
    const layers = await advertTexts(advert('vitrine', said));
    const faults: string[] = [];
    for (const time of [0, 0.25, 0.9, 2.3, 3.3, 4, 5.2, 5.5, 6.1, 7, seconds - 1 / 30]) {
      const boxes = layers.flatMap((layer) => boxesOf(layer, time));
      for (const [index, box] of boxes.entries()) {
        if (!isInside(box, size)) faults.push(`${time} s: text ${index} leaves the frame`);
        if (boxes.slice(index + 1).some((other) => overlap(box, other))) faults.push(`${time} s: text ${index}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
