/** Finds drawings of emoji by the words for what they show: their names and keywords in English and Portuguese. */
import drawings from '@iconify-json/fluent-emoji-flat/chars.json' with { type: 'json' };
import english from 'emojibase-data/en/compact.json' with { type: 'json' };
import portuguese from 'emojibase-data/pt/compact.json' with { type: 'json' };
import { furtherNames } from './further-names.ts';
import { plain } from './prompt-words.ts';

export type Language = 'en' | 'pt';

/** What is always drawn together with an object, such as the ball of a player or the partner in a couple. */
interface Companion {
  readonly drawing: string;
  readonly size: number;
}

interface Named {
  readonly drawing: string;
  readonly beside?: readonly Companion[];
  /** How well the words describe the drawing; the best match is drawn. */
  readonly fit: number;
}

/**
 * By group of emoji, what is added to the fit: faces and symbols are penalized, because they illustrate feelings and
 * signs rather than objects.
 */
const groupFit: readonly number[] = [-6, -1.5, 0, 1, 0.5, 0.5, 0, 0.2, -6, -9];

/** Emoji that show a whole scene are not drawn as objects: a place is drawn instead. */
const isScene =
  /^(bridge-at-night|cityscape.*|desert|foggy|milky-way|motorway|national-park|night-with-stars|sunrise.*|sunset)$/;

const drawingOf = (hexcode: string): string | undefined => {
  const key = hexcode.toLowerCase();
  const known = drawings as Readonly<Record<string, string>>;
  return known[key] ?? known[key.replaceAll('-fe0f', '')];
};

const hexcodeOf = (emoji: string): string =>
  Array.from(emoji, (character) => character.codePointAt(0)?.toString(16) ?? '').join('-');

/** The drawing of an emoji, or one of the engine's own. */
const shownAs = (text: string): string | undefined =>
  text.startsWith('=') ? text.slice(1) : drawingOf(hexcodeOf(text));

/** The companion in a line of names: small after `+`, and as large as the object itself after `&`. */
function companionOf(text: string): Companion[] {
  const drawing = shownAs(text.slice(1));
  return drawing === undefined ? [] : [{ drawing, size: text.startsWith('+') ? 0.45 : 1 }];
}

/** Parts of an emoji's name that only say how it is drawn, such as “face”. */
const generic = {
  en: /( face|^person | with .*|^single |^closed |^red (?=heart|apple))$|^person /,
  pt: /^(rosto|cara|pessoa|simbolo) (de |do |da )?/,
} as const;

/**
 * The phrases under which an emoji is found, with how well they fit: its name, the name without generic words, the noun
 * in it.
 */
function phrasesOf(label: string, language: Language): (readonly [string, number])[] {
  const name = plain(label).replaceAll(/[:,“”"]/g, '');
  const bare = name.replace(generic[language], '');
  const words = bare.split(' ');
  const noun = (language === 'en' ? words.at(-1) : words[0]) ?? '';
  return [[name, 12], [bare, 10], ...(words.length === 2 ? [[noun, 6] as const] : [])];
}

type Names = Map<string, Named>;

const offer = (names: Names, phrase: string, named: Named): void => {
  if (phrase.length > 1 && named.fit > (names.get(phrase)?.fit ?? 0)) names.set(phrase, named);
};

function namesIn(emoji: typeof english, language: Language): Names {
  const names: Names = new Map();
  const shared = new Map<string, number>();
  for (const { tags = [] } of emoji) for (const tag of tags) shared.set(tag, (shared.get(tag) ?? 0) + 1);
  for (const { hexcode, label, group, tags = [] } of emoji) {
    const drawing = drawingOf(hexcode);
    if (drawing === undefined || group === undefined || isScene.test(drawing)) continue;
    const better = groupFit[group] ?? 0;
    for (const [phrase, fit] of phrasesOf(label, language)) offer(names, phrase, { drawing, fit: fit + better });
    for (const tag of tags) {
      const name = plain(tag);
      // Keywords of several words, and those that are part of the name such as “moto”, are more specific.
      const specific = (tag.includes(' ') ? 4 : 0) + (name.length > 3 && plain(label).includes(name) ? 2 : 0);
      offer(names, name, { drawing, fit: 4 + specific + better - Math.log2(shared.get(tag) ?? 1) });
    }
  }
  for (const [phrase, shown] of furtherNames) {
    const [first = '', ...others] = shown.split(/(?=[+&])/);
    const drawing = shownAs(first);
    if (drawing !== undefined) offer(names, phrase, { drawing, beside: others.flatMap(companionOf), fit: 20 });
  }
  return names;
}

let known: Readonly<Record<Language, Names>> | undefined;

/** The least fit of names; keywords fit less. */
const nameFit = 5.5;
const leastFit = 1;

interface NamedDrawing extends Pick<Named, 'drawing' | 'beside'> {
  /** Whether the phrase is one of the drawing's names rather than a keyword. */
  readonly isName: boolean;
  /** Whether the phrase as written, not an inflected form of it, is the name. */
  readonly isExact: boolean;
}

function bestIn(names: Names, forms: readonly string[]): NamedDrawing | undefined {
  const [best] = forms
    .flatMap((form) => names.get(form) ?? [])
    .filter(({ fit }) => fit > leastFit)
    .toSorted((one, other) => other.fit - one.fit);
  const isName = best !== undefined && best.fit >= nameFit;
  return best && { ...best, isName, isExact: isName && names.get(forms[0] ?? '') === best };
}

/** The drawing that a phrase names in any of its inflected forms; names in the other language are a fallback. */
export function drawingNamed(forms: readonly string[], language: Language): NamedDrawing | undefined {
  known ??= { en: namesIn(english, 'en'), pt: namesIn(portuguese, 'pt') };
  const other = bestIn(known[language === 'en' ? 'pt' : 'en'], forms);
  return bestIn(known[language], forms) ?? (other?.isName ? other : undefined);
}
