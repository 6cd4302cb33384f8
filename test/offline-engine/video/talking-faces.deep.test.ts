/** Lips and eyes of a photographed and of a drawn face, over an image that is painted still. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Image, imageOf } from '../../../offline-engine/image/image.ts';
import { personaPortrait } from '../../../offline-engine/image/persona-portrait.ts';
import { samplesPerSecond } from '../../../offline-engine/sound/sound.ts';
import { blankFrame } from '../../../offline-engine/video/frame.ts';
import { paintSprite, spriteOfImage } from '../../../offline-engine/video/sprite.ts';
import { type Talk, talkingFaces } from '../../../offline-engine/video/talking-faces.ts';
import { sample } from '../image-client.ts';

const side = 320;
const place = { x: side / 2, y: side / 2 };
const seconds = 9;
/** A second of silence, then one of sound that grows, then silence again. */
const speech = Float32Array.from({ length: 3 * samplesPerSecond }, (_, at) => {
  const share = at / samplesPerSecond - 1;
  return share > 0 && share < 1 ? share * Math.sin(at / 20) : 0;
});
const talk: Talk = { seconds, seed: 'Olá!', speech, startSeconds: 0 };

/** The part of the image with the face, by shares of the side: its eyes and its mouth. */
interface Look {
  readonly image: () => Promise<Image>;
  readonly eyes: readonly [top: number, bottom: number];
  readonly mouth: readonly [top: number, bottom: number];
}

const looks: Readonly<Record<string, Look>> = {
  'a photographed face': {
    image: async () =>
      imageOf(
        sharp(await sample('astronaut.jpg'))
          .extract({ left: 130, top: 0, width: 200, height: 200 })
          .resize(side),
        false,
      ),
    eyes: [0.37, 0.62],
    mouth: [0.62, 1],
  },
  'a drawn face': {
    image: () => {
      const person = { name: 'Ana', description: 'mulher morena de cabelo longo', gender: 'feminino' } as const;
      return imageOf(sharp(Buffer.from(personaPortrait(person, side))).flatten({ background: '#d8e0e8' }), false);
    },
    eyes: [0.37, 0.6],
    mouth: [0.6, 0.9],
  },
};

/** By how many pixels two frames differ from one row to another, given as shares of the side: a pixel counts by its color. */
const changed = (one: Uint32Array, other: Uint32Array, [top, bottom]: readonly [number, number]): number => {
  const [first, last] = [Math.round(top * side) * side, Math.round(bottom * side) * side];
  let sum = 0;
  for (let at = first; at < last; at += 1) {
    for (const shift of [0, 8, 16]) {
      sum += Math.abs((((one[at] ?? 0) >>> shift) & 255) - (((other[at] ?? 0) >>> shift) & 255)) / 765;
    }
  }
  return sum;
};

describe.each(Object.entries(looks))('%s', (_, { image, eyes, mouth }) => {
  let painted: (at: number, given?: Talk) => Promise<Uint32Array>;
  let still: Uint32Array;
  beforeAll(async () => {
    const shown = await image();
    painted = async (at, given = talk) => {
      const frame = blankFrame({ width: side, height: side });
      paintSprite(frame, spriteOfImage(shown), place);
      for (const { sprite, place: where } of (await talkingFaces(shown, given))(place, at)) {
        paintSprite(frame, sprite, where);
      }
      return frame.pixels;
    };
    still = await painted(-1);
  });

  /** The times of frames, in seconds. */
  const times = Array.from({ length: seconds * 30 }, (__, index) => index / 30);

  test('opens its mouth the wider the louder the speech is, and closes it in silence', async () => {
    const [silent, low, loud] = [await painted(0.5), await painted(1.4), await painted(1.9)];
    expect(changed(silent, still, mouth)).toBe(0);
    expect(changed(low, still, mouth)).toBeGreaterThan(30);
    expect(changed(loud, still, mouth)).toBeGreaterThan(1.3 * changed(low, still, mouth));
    expect(changed(loud, still, [0, mouth[0] - 0.05])).toBe(0);
  });

  test('blinks now and then, with its mouth closed where nothing is said', async () => {
    const act = await talkingFaces(await image(), { ...talk, speech: undefined });
    const closed = times.filter((at) => act(place, at).length > 0);
    expect(closed[0]).toBeGreaterThan(0.9);
    expect(closed.length).toBeGreaterThan(8);
    expect(closed.length).toBeLessThan(0.15 * times.length);
    const blink = await painted(closed[3] ?? 0, { ...talk, speech: undefined });
    expect(changed(blink, still, eyes)).toBeGreaterThan(60);
    expect(changed(blink, still, mouth)).toBe(0);
  });

  test('blinks at the same times for the same seed, and at others for another', async () => {
    const blinks = async (seed: string) => {
      const act = await talkingFaces(await image(), { ...talk, seed, speech: undefined });
      return times.filter((at) => act(place, at).length > 0);
    };
    expect(await blinks('one')).toEqual(await blinks('one'));
    expect(await blinks('one')).not.toEqual(await blinks('other'));
  });
});

test('an image without a face does not talk: it is left as it is', async () => {
  const image = await imageOf(sharp(await sample('coffee.png')).resize(side, side), false);
  const act = await talkingFaces(image, talk);
  expect([0, 1.9, 3, 5].flatMap((at) => act(place, at))).toEqual([]);
});
