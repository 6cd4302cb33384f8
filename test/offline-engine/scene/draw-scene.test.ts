import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Image, pipelineOf } from '../../../offline-engine/image/image.ts';
import { drawPlace, drawScene } from '../../../offline-engine/scene/draw-scene.ts';
import { defaultSettings } from '../../../shared/catalog/studio-settings.ts';

const size = { width: 96, height: 128 };

const drawn = (prompt: string, changes: { seed?: string; negativePrompt?: string } = {}): Promise<Image> =>
  drawScene({ prompt, seed: 'seed', size, ...changes });

/** The mean difference between two images per channel, from 0 to 255. */
const difference = (one: Image, other: Image): number =>
  one.pixels.reduce((sum, value, at) => sum + Math.abs(value - (other.pixels[at] ?? 0)), 0) / one.pixels.length;

/** The mean value of each color channel of an image. */
const meansOf = async (image: Image): Promise<number[]> =>
  (await sharp(await pipelineOf(image).png().toBuffer()).stats()).channels.map(({ mean }) => mean);

const places = [
  'Um farol',
  'Boats on the sea',
  'Montanhas ao pôr do sol',
  'Uma floresta',
  'no espaço',
  'a desert',
  'city street',
  'num estádio',
];

describe('a drawn scene', () => {
  test('looks different for each place and for each setting of the Studio’s catalog', async () => {
    const names = [...places, ...defaultSettings.map(({ id }) => id)];
    const made = await Promise.all(names.map((place) => drawPlace(place, size)));
    for (const [index, one] of made.entries()) {
      for (const [further, other] of made.slice(index + 1).entries()) {
        expect(difference(one, other), `${names[index]} and ${names[index + 1 + further]}`).toBeGreaterThan(5);
      }
    }
  });

  test('is the same for the same prompt and seed, and different for another seed', async () => {
    for (const prompt of ['a red car in the rain', 'x']) {
      const [one, same, other] = await Promise.all([drawn(prompt), drawn(prompt), drawn(prompt, { seed: 'other' })]);
      expect(one).toEqual(same);
      expect(difference(one, other)).toBeGreaterThan(2);
    }
  });

  test('shows things in the colors that the prompt names', async () => {
    const [red, , blue] = await meansOf(await drawn('a giant red car'));
    const [redOfBlue, , blueOfBlue] = await meansOf(await drawn('a giant blue car'));
    expect(Number(red) - Number(blue)).toBeGreaterThan(Number(redOfBlue) - Number(blueOfBlue) + 10);
  });

  test('shows flames on burning things, and snow on mountains in winter', async () => {
    expect(difference(await drawn('a house on fire'), await drawn('a house'))).toBeGreaterThan(3);
    const [winter, summer] = await Promise.all(['snowy mountains', 'mountains'].map((text) => drawPlace(text, size)));
    const [white = 0, green = 0] = await Promise.all(
      [winter, summer].map(async (image) => (image ? ((await meansOf(image))[0] ?? 0) : 0)),
    );
    expect(white).toBeGreaterThan(green + 40);
  });

  test('does not show what the negative prompt names', async () => {
    expect(await drawn('a cat with a dog', { negativePrompt: 'dogs' })).toEqual(await drawn('a cat'));
  });

  test('shows unknown words of the prompt as written text', async () => {
    expect(difference(await drawn('a cat zorblax'), await drawn('a cat'))).toBeGreaterThan(1);
    expect(difference(await drawn('zorblax', { seed: 'a' }), await drawn('', { seed: 'a' }))).toBeGreaterThan(1);
  });

  test.each(['photo', 'watercolor', 'pixel art', 'line art', 'oil painting', 'sepia'])(
    'looks different in the style “%s” than without a style',
    async (style) => {
      expect(difference(await drawn(`a cat in a garden, ${style}`), await drawn('a cat in a garden'))).toBeGreaterThan(
        1,
      );
    },
  );

  test('has only shades of gray if the prompt asks for black and white', async () => {
    const [red, green, blue] = await meansOf(await drawn('a red cat, black and white'));
    expect([green, blue]).toEqual([red, red]);
  });
});
