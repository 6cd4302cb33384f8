import { expect, test } from 'vitest';
import { promptLandscapes } from '../../../offline-engine/creative/prompt-landscape.ts';
import type { Image } from '../../../offline-engine/image/image.ts';

const size = { width: 48, height: 64 };

/** The mean difference per channel, from 0 to 255. */
const difference = (one: Image | undefined, other: Image | undefined): number => {
  if (!one || !other) throw new Error('There is no landscape.');
  return one.pixels.reduce((sum, value, at) => sum + Math.abs(value - (other.pixels[at] ?? 0)), 0) / one.pixels.length;
};

const prompts = [
  'Um farol ao amanhecer, ondas batem nas pedras',
  'Boats on the sea',
  'Montanhas ao pôr do sol',
  'A city street at night',
  'Uma floresta',
];

test('every kind of landscape and light looks different and moves', async () => {
  const drawn = await Promise.all(prompts.map((prompt) => promptLandscapes(prompt, 'seed', size)));
  for (const [index, [first, last]] of drawn.entries()) {
    expect(difference(first, last), prompts[index]).toBeGreaterThan(7);
    for (const [other] of drawn.slice(index + 1)) expect(difference(first, other), prompts[index]).toBeGreaterThan(7);
  }
});

test('prompt words are matched without accents and case, but not inside other words', async () => {
  expect(await promptLandscapes('NOITE NA MONTANHA', 'seed', size)).toEqual(
    await promptLandscapes('montanha, noite', 'seed', size),
  );
  expect(await promptLandscapes('Um gato mareado na janela', 'seed', size)).toEqual([]);
});
