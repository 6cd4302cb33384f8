/** Where the texts of advertisements are, without painting anything. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advertTexts } from '../../../offline-engine/advert/advert-scene.ts';
import { hookTitle } from '../../../offline-engine/advert/hook-title.ts';
import { boxOfLettered } from '../../../offline-engine/advert/lettered.ts';
import { modeOf } from '../../../offline-engine/advert/modes/modes.ts';
import { type Stage, stageOf } from '../../../offline-engine/advert/stage.ts';
import type { Box } from '../../../offline-engine/image/box.ts';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';
import { imageOf } from '../../../offline-engine/image/image.ts';
import { defaultHooks } from '../../../shared/catalog/studio-hooks.ts';
import { defaultModes } from '../../../shared/catalog/studio-modes.ts';
import { aspectRatios } from '../../../shared/contracts/image-files.ts';
import { videoFrame } from '../../../shared/contracts/video-frame.ts';
import { sample } from '../image-client.ts';

const seconds = 8;
/** The first frame, the title's movement, its end, every second, and the last frame. */
const times = [0, 0.1, 0.25, 0.4, 0.6, 0.9, 1.3, 2.3, 3.3, 4, 5.2, 6.1, 7, seconds - 1 / 30];
const said = {
  title: 'Café da Serra torrado em grãos selecionados',
  line: {
    text: 'Conheça: Café da Serra. Grãos torrados extraordinariamente bem, com notas de chocolate. Garanta já o seu!',
    startSeconds: 0.1,
    seconds: 7.8,
  },
};

let folder: string;
let stages: ReadonlyMap<string, Stage>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'advert-texts-'));
  await prepareFonts(folder);
  const image = await imageOf(sharp(await sample('coffee.png')).resize(60), false);
  const one = await stageOf({
    size: { width: 60, height: 60 },
    seconds,
    hasHook: true,
    place: 'cozinha',
    products: [image],
    avatar: { name: 'Ana', image },
  });
  stages = new Map(
    aspectRatios.map((ratio) => {
      const { width, height } = videoFrame('480p', ratio);
      return [ratio, { ...one, size: { width, height }, unit: Math.min(width, height), isWide: width >= height }];
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const cases = defaultModes.flatMap(({ slug }) => aspectRatios.map((ratio) => [slug, ratio] as const));
const stageFor = (ratio: string): Stage => {
  const stage = stages.get(ratio);
  if (!stage) throw new Error(`There is no stage for ${ratio}.`);
  return stage;
};

const inside = ({ left, top, width, height }: Box, { size }: Stage): boolean =>
  left >= 0 && top >= 0 && left + width <= size.width && top + height <= size.height;
const overlap = (one: Box, other: Box): boolean =>
  Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top) > 1;

const described = ({ left, top, width, height }: Box): string =>
  [left, top, left + width, top + height].map(Math.round).join(' ');

describe('the texts of an advertisement', () => {
  it.each(cases)('lie within the frame and do not overlap: %s in %s', async (slug, ratio) => {
    const stage = stageFor(ratio);
    const mode = modeOf(slug, true);
    const others = await advertTexts({ ...said, stage, mode, hook: undefined });
    const hooks = await Promise.all(defaultHooks.map((hook) => hookTitle(hook, mode, stage)));
    const faults: string[] = [];
    for (const time of times) {
      const texts = [...others, ...hooks].map((lettered) => lettered(time).map(boxOfLettered));
      const [boxes, titles] = [texts.slice(0, others.length).flat(), texts.slice(others.length).flat()];
      // Steps slide into the frame and out of it.
      const still = slug === 'passo-a-passo' ? titles : [...boxes, ...titles];
      for (const box of still) if (!inside(box, stage)) faults.push(`${time} s: ${described(box)} leaves the frame`);
      for (const [index, box] of boxes.entries()) {
        for (const other of [...boxes.slice(index + 1), ...titles]) {
          if (overlap(box, other)) faults.push(`${time} s: ${described(box)} and ${described(other)}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(defaultHooks)('begin with a title that is readable from the first frame: $id', async (hook) => {
    const [title] = (await hookTitle(hook, modeOf('narracao', false), stageFor('9:16')))(0);
    const { opacity = 1, scale = 1, stretch = 1, radians = 0 } = title?.place ?? { opacity: 0 };
    expect(opacity).toBe(1);
    expect(Math.min(scale, stretch)).toBeGreaterThanOrEqual(1);
    expect(Math.abs(radians)).toBeLessThan(0.1);
  });
});
