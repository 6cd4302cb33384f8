/** Extracts a person's appearance from a description in Portuguese, English or Spanish. */

export type HairColor = 'black' | 'brown' | 'blond' | 'red' | 'gray' | 'white';
export type SkinTone = 'light' | 'medium' | 'dark';

/** Features of a person; those that are not described are absent. */
export interface Looks {
  readonly gender?: 'female' | 'male';
  readonly skin?: SkinTone;
  readonly hairColor?: HairColor;
  readonly hairLength?: 'none' | 'short' | 'long';
  readonly beardColor?: HairColor;
  readonly has: Readonly<Record<Extra, boolean>>;
}

type Extra = 'beard' | 'glasses' | 'freckles' | 'earrings';

/** The words that describe each feature; the first match wins. All are in lower case without accents. */
type Words<Value> = readonly (readonly [Value, RegExp])[];

const colors: Words<HairColor> = [
  ['white', /\b(branc[oa]s?|white|blanc[oa]s?)\b/],
  ['gray', /\b(grisalh\w+|gr[ae]y|cinza|gris(es)?|canos[oa]|canas|prateado|silver)\b/],
  ['blond', /\b(loir\w+|blond\w*|rubi[oa]s?|dourad\w+)\b/],
  ['red', /\b(ruiv\w+|red|ginger|pelirroj\w+|vermelh\w+|roj[oa]s?)\b/],
  ['brown', /\b(castanh\w+|brown|castan[oa]s?|marrom|brunette)\b/],
  ['black', /\b(pret[oa]s?|negr[oa]s?|black|escur\w+|dark|oscur\w+)\b/],
];
/** Words that imply a hair color: "loira", "a redhead". */
const hairColorsAlone: Words<HairColor> = [
  ['blond', /\b(loir[oa]s?|blond(e|es|s)?|rubi[oa]s?)\b/],
  ['red', /\b(ruiv[oa]s?|redhead\w*|ginger|pelirroj[oa]s?)\b/],
  ['gray', /\b(grisalh[oa]s?|canos[oa]s?)\b/],
  ['brown', /\b(brunette|castanh[oa]s?|moren[oa]s?|castan[oa]s?)\b/],
];
const tones: Words<SkinTone> = [
  ['dark', /\b(escur[oa]|negr[oa]|pret[oa]|dark|black|oscur[oa]|retint[oa])\b/],
  ['light', /\b(clar[oa]|branc[oa]|palid[oa]|fair|light|pale|white|blanc[oa])\b/],
  ['medium', /\b(moren[oa]|pard[oa]|bronzead[oa]|brown|tan(ned)?|olive|mulat[oa]|triguen[oa]|bronceada)\b/],
];
const tonesAlone: Words<SkinTone> = [
  ['dark', /\b((homem|mulher|moca|rapaz|hombre|mujer|chic[oa]) negr[oa]|black (wo)?man|afro\w*)\b/],
];
const lengths: Words<'short' | 'long'> = [
  ['short', /\b(curt\w+|short|cort[oa]s?|raspad[oa]s?|shaved|pixie)\b/],
  ['long', /\b(long\w*|comprid\w+|larg[oa]s?)\b/],
];
const genders: Words<'female' | 'male'> = [
  ['female', /\b(mulher|moca|garota|menina|senhora|woman|girl|lady|female|mujer|chica|senora|ela|she|her)\b/],
  [
    'male',
    /\b(homem|rapaz|garoto|menino|senhor|man|boy|guy|male|hombre|chico|muchacho|barb(a|ud[oa]|ad[oa])|beard\w*|bigode|bigote|mustache|ele|he|his)\b/,
  ],
];

/** Adjectives that imply a woman unless they describe hair, skin or beard. */
const feminine = /\b(loira|ruiva|rubia|pelirroja|grisalha|morena|castanha|blonde|negra)s?\b/;

const hair = /\b(cabel\w+|hair\w*|pelo|melena)\b/;
const skin = /\b(pele|skin\w*|piel|tez)\b/;
const beard = /\b(barb(a|as|ud[oa]|ad[oa])|beard\w*|bigode|bigote|mustache)\b/;
const bald = /\b(carec[ao]|calv[oa]|bald)\b/;
const extras: Readonly<Record<Exclude<Extra, 'beard'>, RegExp>> = {
  glasses: /\b(oculos|glasses|gafas|lentes|anteojos)\b/,
  freckles: /\b(sardas?|sardent[oa]|freckle\w*|pecas)\b/,
  earrings: /\b(brincos?|earrings?|pendientes?|aretes?)\b/,
};
const isDenied = (word: RegExp, text: string) =>
  new RegExp(`\\b(sem|without|no|sin) (\\w+ )?${word.source}`).test(text);

const firstIn = <Value>(words: Words<Value>, text: string): Value | undefined =>
  words.find(([, word]) => word.test(text))?.[0];

const plainOf = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Splits a description into parts about one feature each: "cabelo curto e branco, pele escura" has two. */
const partsOf = (text: string): readonly string[] =>
  text.split(
    /[,.;:\n]|\b(?:com|with|con|and|e|y|de|of)\b(?=[^,.;:\n]*\b(?:pele|skin|piel|barba|beard|cabel\w+|hair|pelo)\b)/,
  );

export const looksIn = (description: string): Looks => {
  const text = plainOf(description);
  const parts = partsOf(text);
  const about = (thing: RegExp) => parts.filter((part) => thing.test(part) && !isDenied(thing, part)).join(' ');
  const rest = parts.filter((part) => !skin.test(part) && !beard.test(part) && !hair.test(part)).join(', ');
  const hasBeard = about(beard) !== '';
  const looks = {
    gender: firstIn(genders, hasBeard ? text : text.replace(beard, '')) ?? (feminine.test(rest) ? 'female' : undefined),
    skin: firstIn(tones, about(skin)) ?? firstIn(tonesAlone, text),
    hairColor: firstIn(colors, about(hair)) ?? firstIn(hairColorsAlone, rest),
    hairLength: bald.test(text) ? ('none' as const) : firstIn(lengths, about(hair)),
    beardColor: firstIn(colors, about(beard)),
  };
  const said = Object.fromEntries(Object.entries(looks).filter(([, value]) => value !== undefined));
  const has = (extra: keyof typeof extras) => extras[extra].test(text) && !isDenied(extras[extra], text);
  return {
    ...(said as Partial<typeof looks>),
    has: { beard: hasBeard, glasses: has('glasses'), freckles: has('freckles'), earrings: has('earrings') },
  } as Looks;
};
