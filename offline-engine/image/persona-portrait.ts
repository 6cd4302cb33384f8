/** Draws a person from a description, using DiceBear's Lorelei collection. */
import { createAvatar } from '@dicebear/core';
import * as lorelei from '@dicebear/lorelei';
import { type Looks, looksIn, type SkinTone } from './described-looks.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

export interface Person {
  readonly name: string;
  readonly description: string;
  readonly gender: 'feminino' | 'masculino' | 'auto';
  readonly ageRange?: '18-25' | '26-35' | '36-50' | '51+';
}

type Options = Required<lorelei.Options>;

const variants = (prefix: string, numbers: string): readonly string[] =>
  numbers.split(' ').map((number) => prefix + number);

const shortHair = variants('variant', '01 02 03 04 05 06 07 08 09 11 12 20 22 39 43 44 47') as Options['hair'];
const longHair = variants(
  'variant',
  '10 13 14 15 16 17 18 19 21 23 24 26 29 30 31 32 33 35 36 37 38 40 41 42 45 46 48',
) as Options['hair'];
const croppedHair = variants('variant', '02 04') as Options['hair'];
const smiles = variants('happy', '01 02 03 05 06 09 18') as Options['mouth'];
const openEyes = variants('variant', '02 04 06 08 10 11 12 14 17 18 20 21 23 24') as Options['eyes'];
const calmBrows = variants('variant', '01 02 05 07 09 11 12') as Options['eyebrows'];

const skinColors = ['f6d7be', 'f2c9a1', 'e5b083', 'd39a6a', 'b97a4b', '94582f', '6f4126'] as const;
const skinColorsOf = {
  light: ['f6d7be', 'f2c9a1'],
  medium: ['d39a6a', 'b97a4b'],
  dark: ['7d4a29', '6f4126'],
} as const satisfies Readonly<Record<SkinTone, readonly [string, ...string[]]>>;
const hairColors = {
  black: '1f1a1d',
  brown: '4b2e20',
  chestnut: '7a4a2b',
  blond: 'd9ae62',
  red: 'a8472a',
  gray: 'b9b6b2',
  white: 'efece6',
} as const;

const looksMale = ({ gender }: Person, looks: Looks, random: SeededRandom): boolean => {
  const chance = random.next() < 0.5;
  if (gender !== 'auto') return gender === 'masculino';
  return looks.gender === undefined ? chance : looks.gender === 'male';
};

const hairColorOf = ({ ageRange }: Person, { hairColor, beardColor }: Looks, random: SeededRandom): string => {
  const named = hairColor ?? beardColor;
  if (named) return hairColors[named];
  if (ageRange === '51+' && random.next() < 0.7) return hairColors.gray;
  return hairColors[random.pick(['black', 'brown', 'chestnut', 'blond', 'red', 'black', 'brown'] as const)];
};

const hairOf = ({ hairLength }: Looks, isMale: boolean): Options['hair'] => {
  if (hairLength === undefined) return isMale ? shortHair : longHair;
  if (hairLength === 'none') return croppedHair;
  return hairLength === 'short' ? shortHair : longHair;
};

/** The probability of a beard, unless the description mentions or excludes one. */
const beardChance = (person: Person, looks: Looks, isMale: boolean) =>
  isMale && !/\b(beard|barba)/i.test(person.description) && looks.gender === undefined ? 35 : 0;

const optionsOf = (person: Person, looks: Looks, random: SeededRandom): lorelei.Options => {
  const { has } = looks;
  const isMale = looksMale(person, looks, random);
  const hairColor = hairColorOf(person, looks, random);
  const skinColor = random.pick(looks.skin ? skinColorsOf[looks.skin] : skinColors);
  return {
    hair: hairOf(looks, isMale),
    mouth: smiles,
    eyes: openEyes,
    eyebrows: calmBrows,
    // Bald heads have hair in the color of the skin, because the collection has no bald heads.
    hairColor: [looks.hairLength === 'none' ? skinColor : hairColor],
    eyebrowsColor: [hairColor === hairColors.blond ? '8a6a35' : hairColor],
    skinColor: [skinColor],
    mouthColor: [isMale ? '3a1f1b' : 'a8324a'],
    beardProbability: has.beard ? 100 : beardChance(person, looks, isMale),
    earringsProbability: has.earrings ? 100 : isMale ? 4 : 55,
    earringsColor: ['d8a93b'],
    hairAccessoriesProbability: isMale ? 0 : 8,
    hairAccessoriesColor: ['e4677f'],
    glassesProbability: has.glasses ? 100 : person.ageRange === '51+' ? 40 : 12,
    frecklesProbability: has.freckles ? 100 : person.ageRange === '18-25' ? 25 : 6,
  };
};

/** The side length of the collection's drawings. */
const drawingSide = 980;

/**
 * Colors the beard differently from the hair. The strokes of the beard are found by comparison with the same drawing
 * without a beard.
 */
const withBeardOf = (color: string, hairColor: string, bearded: string, shaven: string): string => {
  let from = 0;
  while (from < shaven.length && bearded[from] === shaven[from]) from += 1;
  let after = 0;
  while (after < shaven.length - from && bearded.at(-1 - after) === shaven.at(-1 - after)) after += 1;
  const beard = bearded.slice(from, bearded.length - after).replaceAll(hairColor, color);
  return bearded.slice(0, from) + beard + bearded.slice(bearded.length - after);
};

const headOf = (seed: string, options: lorelei.Options, { has, beardColor }: Looks): string => {
  const draw = (changes: lorelei.Options = {}) => createAvatar(lorelei, { seed, ...options, ...changes }).toString();
  const [hairColor = ''] = options.hairColor ?? [];
  const color = beardColor ? hairColors[beardColor] : (options.eyebrowsColor?.[0] ?? hairColor);
  if (!has.beard || color === hairColor) return draw();
  return withBeardOf(color, hairColor, draw(), draw({ beardProbability: 0 }));
};

/** An SVG of the person's head and shoulders with sides of `side` pixels; the same person always looks the same. */
export const personaPortrait = (person: Person, side: number): string => {
  const seed = JSON.stringify([person.name, person.description]);
  const random = seededRandom(seed);
  const looks = looksIn(person.description);
  const options = optionsOf(person, looks, random);
  const head = headOf(seed, options, looks);
  const cloth = `hsl(${360 * random.next()},42%,46%)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${drawingSide} ${drawingSide}">
<path d="M 40 980 C 60 900 130 850 290 822 C 350 905 585 905 650 822 C 820 850 905 905 930 980 Z" fill="${cloth}" stroke="#000" stroke-width="12" stroke-linejoin="round"/>
<svg width="${drawingSide}" height="${drawingSide}">${head}</svg></svg>`;
};
