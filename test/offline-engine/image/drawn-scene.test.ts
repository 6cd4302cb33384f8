import { expect, test } from 'vitest';
import { drawnScene } from '../../../offline-engine/image/drawn-scene.ts';
import type { Image } from '../../../offline-engine/image/image.ts';
import { defaultSettings } from '../../../shared/catalog/studio-settings.ts';

const size = { width: 48, height: 64 };

/** The mean difference between two images per channel, from 0 to 255. */
const difference = (one: Image, other: Image): number =>
  one.pixels.reduce((sum, value, at) => sum + Math.abs(value - (other.pixels[at] ?? 0)), 0) / one.pixels.length;

const prompts = [
  'Um farol ao amanhecer',
  'Boats on the sea',
  'Montanhas ao pôr do sol',
  'Uma floresta',
  'A red sneaker',
];
const places = [...prompts, ...defaultSettings.map(({ id }) => id)];

test('drawn scenes of different places look different, and so do two moments of the same scene', async () => {
  const drawn = await Promise.all(places.map((place) => drawnScene(place, 'seed', size)));
  const later = await Promise.all(places.map((place) => drawnScene(place, 'seed', size, 1)));
  for (const [index, one] of drawn.entries()) {
    expect(difference(one, later[index] ?? one), places[index]).toBeGreaterThan(1);
    for (const [further, other] of drawn.slice(index + 1).entries()) {
      expect(difference(one, other), `${places[index]} and ${places[index + 1 + further]}`).toBeGreaterThan(5);
    }
  }
});

test('the words of an image prompt are matched regardless of accents and case, but not inside other words', async () => {
  const [one, other] = ['NOITE NA MONTANHA', 'montanha, noite'].map((prompt) => drawnScene(prompt, 'seed', size));
  expect(await one).toEqual(await other);
  const cat = await drawnScene('Um gato mareado na janela', 'seed', size);
  expect(cat).toEqual(await drawnScene('Um gato', 'seed', size));
});

test('abstract art is the same for the same seed and different for another seed', async () => {
  const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((seed) => drawnScene('x', seed, size)));
  expect(one).toEqual(same);
  if (one && other) expect(difference(one, other)).toBeGreaterThan(10);
});
