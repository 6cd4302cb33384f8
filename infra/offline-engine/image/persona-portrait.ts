/** A drawn person: the Lorelei collection of DiceBear, led by what is known of the person. */
import { createAvatar } from '@dicebear/core';
import * as lorelei from '@dicebear/lorelei';
import { colourOf } from './generated-art.ts';
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
const smiles = variants('happy', '01 02 03 05 06 09 18') as Options['mouth'];
const openEyes = variants('variant', '02 04 06 08 10 11 12 14 17 18 20 21 23 24') as Options['eyes'];
const calmBrows = variants('variant', '01 02 05 07 09 11 12') as Options['eyebrows'];

const skinColours = ['f6d7be', 'f2c9a1', 'e5b083', 'd39a6a', 'b97a4b', '94582f', '6f4126'] as const;
const hairColours = {
  black: '1f1a1d',
  brown: '4b2e20',
  chestnut: '7a4a2b',
  blond: 'd9ae62',
  red: 'a8472a',
  grey: 'b9b6b2',
} as const;

/** What a description can say, in Portuguese, English or Spanish; it is read in lower case and without accents. */
const hairWords: readonly (readonly [keyof typeof hairColours, RegExp])[] = [
  ['blond', /\b(loir|blond|rubi[ao])/],
  ['red', /\b(ruiv|redhead|red hair|ginger|pelirroj)/],
  ['grey', /\b(grisalh|gr[ae]y hair|cabelos? branco|canos|pelo gris|canas)/],
  ['black', /\b(cabelos? (preto|negro)|black hair|pelo negro)/],
  ['brown', /\b(castanh|moren|brunette|brown hair|castan)/],
];
const extraWords = {
  glasses: /\b(oculos|glasses|gafas|lentes)/,
  beard: /\b(barb(a|udo|ado)|beard|bigode)/,
  freckles: /\b(sarda|freckle|pecas)/,
  earrings: /\b(brinco|earring|pendiente|arete)/,
};

const plainOf = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const hairColourOf = ({ ageRange }: Person, words: string, random: SeededRandom): string => {
  const named = hairWords.find(([, word]) => word.test(words))?.[0];
  if (named) return hairColours[named];
  if (ageRange === '51+' && random.next() < 0.7) return hairColours.grey;
  return hairColours[random.pick(['black', 'brown', 'chestnut', 'blond', 'red', 'black', 'brown'] as const)];
};

const optionsOf = (person: Person, random: SeededRandom): lorelei.Options => {
  const words = plainOf(person.description);
  const looksMale = person.gender === 'auto' ? random.next() < 0.5 : person.gender === 'masculino';
  const chance = (word: RegExp, otherwise: number) => (word.test(words) ? 100 : otherwise);
  const hairColour = hairColourOf(person, words, random);
  return {
    hair: looksMale ? shortHair : longHair,
    mouth: smiles,
    eyes: openEyes,
    eyebrows: calmBrows,
    hairColor: [hairColour],
    eyebrowsColor: [hairColour === hairColours.blond ? '8a6a35' : hairColour],
    skinColor: [random.pick(skinColours)],
    mouthColor: [looksMale ? '3a1f1b' : 'a8324a'],
    beardProbability: looksMale ? chance(extraWords.beard, 35) : 0,
    earringsProbability: chance(extraWords.earrings, looksMale ? 4 : 55),
    earringsColor: ['d8a93b'],
    hairAccessoriesProbability: looksMale ? 0 : 8,
    hairAccessoriesColor: ['e4677f'],
    glassesProbability: chance(extraWords.glasses, person.ageRange === '51+' ? 40 : 12),
    frecklesProbability: chance(extraWords.freckles, person.ageRange === '18-25' ? 25 : 6),
  };
};

const hex = (colour: readonly number[]) =>
  `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** Of the collection's own drawing. */
const drawingSide = 980;

/** An SVG of the person's head and shoulders, `side` pixels wide and high; the same person looks the same. */
export const personaPortrait = (person: Person, side: number): string => {
  const seed = JSON.stringify([person.name, person.description]);
  const random = seededRandom(seed);
  const options = optionsOf(person, random);
  const head = createAvatar(lorelei, { seed, ...options }).toString();
  const hue = random.next();
  const cloth = hex(colourOf(hue, 0.42, 0.46));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${drawingSide} ${drawingSide}">
<path d="M 40 980 C 60 900 130 850 290 822 C 350 905 585 905 650 822 C 820 850 905 905 930 980 Z" fill="${cloth}" stroke="#000" stroke-width="12" stroke-linejoin="round"/>
<svg width="${drawingSide}" height="${drawingSide}">${head}</svg></svg>`;
};
