/** Reads from a prompt what its scene shows. */
import { drawingNamed, type Language } from './drawing-names.ts';
import {
  type Action,
  actions,
  burning,
  type Color,
  colors,
  colorsAfterNouns,
  counts,
  englishWords,
  type Position,
  portugueseWords,
  positions,
  type Style,
  sizes,
  styles,
  unpictured,
} from './prompt-terms.ts';
import { formsOf, plain, type Word, wordsOf } from './prompt-words.ts';
import { isFurniture, isScenery } from './scenery.ts';

export interface Subject {
  readonly drawing: string;
  readonly count: number;
  readonly size: number;
  readonly color?: Color | undefined;
  readonly isBurning?: boolean | undefined;
  /** The position relative to the subject before; absent for the first subject. */
  readonly position?: Position | undefined;
}

export interface SceneBrief {
  readonly subjects: readonly Subject[];
  /** The understood words that name no object, such as those for place, light and weather. */
  readonly words: string;
  readonly styles: readonly Style[];
  readonly action: Action | undefined;
  /** Words that were not understood, as they are written in the prompt. */
  readonly unknown: readonly string[];
}

/** Words with a plural ending that can denote a single object, such as glasses. */
const oneInPlural = /^(oculos|glasses|sunglasses|tenis|lapis|pires|jeans|pants|scissors|shorts)$/;
const verbForm = /(ing|ed|ando|endo|indo)$/;
const mostSubjects = 5;
const longestPhrase = 4;

interface Phrase {
  readonly words: readonly Word[];
  readonly plain: string;
}

/** The phrases that begin at a word, the longest first. */
const phrasesAt = (words: readonly Word[], from: number): Phrase[] =>
  Array.from({ length: longestPhrase }, (_, index) => longestPhrase - index)
    .map((length) => words.slice(from, from + length))
    .filter(
      (part, index) => part.length === longestPhrase - index && part.slice(0, -1).every((word) => !word.endsPhrase),
    )
    .map((part) => ({ words: part, plain: part.map((word) => word.plain).join(' ') }));

/** The forms of a phrase: its first word is inflected in Portuguese, its last in English. */
function phraseForms(phrase: string, language: Language): string[] {
  const words = phrase.split(' ');
  const at = language === 'pt' ? 0 : words.length - 1;
  const inflected = formsOf(words[at] ?? '');
  return inflected.map((form) => words.with(at, form).join(' '));
}

const find = <Meaning>(terms: ReadonlyMap<string, Meaning>, phrase: string): Meaning | undefined =>
  formsOf(phrase).flatMap((form) => terms.get(form) ?? [])[0];

/** Attributes read so far for the next object, or in Portuguese for the previous one. */
interface Pending {
  count?: number | undefined;
  size?: number | undefined;
  color?: Color | undefined;
  isBurning?: boolean | undefined;
  position?: Position | undefined;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

interface Reading {
  readonly language: Language;
  readonly excluded: ReadonlySet<string>;
  readonly isAlone?: boolean;
  readonly usesTags?: boolean;
}

/** Reads one phrase after the other; each method returns whether it understood the phrase. */
class PromptReader {
  readonly subjects: Mutable<Subject>[] = [];
  readonly styles: Style[] = [];
  readonly unknown: string[] = [];
  /** The understood phrases that name no object. */
  readonly others: string[] = [];
  action: Action | undefined;
  private pending: Pending = {};
  /** The object that a following adjective describes in Portuguese. */
  private noun: Mutable<Subject> | undefined;
  /**
   * Whether the last word was a Portuguese “de”, “do” or “da”: a complement follows, such as “de mudança”, behind which
   * adjectives still describe the noun.
   */
  isAfterOf = false;
  private readonly language: Language;
  /** Drawings that the negative prompt names. */
  private readonly excluded: ReadonlySet<string>;

  /**
   * Whether to draw furniture as an object; usually it stands for the room that it is in, so that “a cat on a sofa”
   * shows a cat in a living room.
   */
  private readonly isAlone: boolean;
  private readonly usesTags: boolean;

  constructor({ language, excluded, isAlone = false, usesTags = false }: Reading) {
    this.language = language;
    this.excluded = excluded;
    this.isAlone = isAlone;
    this.usesTags = usesTags;
  }

  /** Whether the phrase is understood. */
  read(phrase: Phrase): boolean {
    const isKnown = this.readKnown(phrase);
    this.isAfterOf = this.language === 'pt' && /^d[aeo]s?$/.test(phrase.plain);
    return isKnown;
  }

  private readKnown(phrase: Phrase): boolean {
    const isTerm = !(this.isAlone && isFurniture(phrase.plain)) && this.readTerm(phrase);
    if (isTerm) this.others.push(phrase.plain);
    return isTerm || this.readThing(phrase);
  }

  /** Reads a phrase that says how the scene looks or what happens in it. */
  private readTerm({ plain: phrase, words }: Phrase): boolean {
    const style = styles.get(phrase);
    if (style) this.styles.push(style);
    const action = actions.get(phrase);
    if (action) this.action ??= action;
    const position = positions.get(phrase);
    if (position) this.pending.position = position === 'beside' && this.isListing(phrase) ? 'worn' : position;
    const count = counts.get(phrase);
    if (count !== undefined) this.pending.count = count;
    if (isScenery(phrase)) {
      // Positions relate objects to each other, not to places: “on the beach”.
      this.endPhrase();
      return true;
    }
    const fire = burning.get(phrase);
    if (fire) this.light(fire);
    const known = [style, action, position, count, fire].some((meaning) => meaning !== undefined);
    return known || (words.length === 1 && this.readAttribute(phrase));
  }

  /** Whether “and” continues a list of what someone wears: “a hat and glasses”. */
  private isListing(phrase: string): boolean {
    return this.subjects.at(-1)?.position === 'worn' && /^(and|e)$/.test(phrase);
  }

  /** Sets an object on fire: the last one or, if the word is an adjective before its noun, the next one. */
  private light(order: 'after' | 'before'): void {
    const lit = order === 'after' ? this.subjects.at(-1) : this.pending;
    if (lit && !this.excluded.has('fire')) lit.isBurning = true;
  }

  /** Adjectives follow their nouns in Portuguese; some precede them. */
  private readAttribute(word: string): boolean {
    const last = this.language === 'pt' && this.pending.count === undefined ? this.noun : undefined;
    // English inflects no adjective: “oranges” are fruits.
    const named = this.language === 'en' ? colors.get(word) : find(colors, word);
    const color = named ?? (last && !this.pending.position ? find(colorsAfterNouns, word) : undefined);
    const size = find(sizes, word);
    if (color === undefined && size === undefined) return false;
    const described = last ?? this.pending;
    if (color) described.color = color;
    if (size !== undefined) described.size = size;
    return true;
  }

  private readThing({ plain: phrase, words }: Phrase): boolean {
    const forms = words.length === 1 ? formsOf(phrase) : [phrase];
    if (forms.some((form) => unpictured.has(form))) return true;
    const found = drawingNamed(phraseForms(phrase, this.language), this.language);
    // Keywords of an emoji say less about what it shows than its names, and verbs among the keywords say nothing.
    if (!found || (!found.isName && (!this.usesTags || words.length > 1 || verbForm.test(phrase)))) return false;
    const { drawing, beside = [], isExact } = found;
    const { position, count, size = 1, ...look } = this.pending;
    this.pending = {};
    if (this.excluded.has(drawing) || this.subjects.some((subject) => subject.drawing === drawing)) return true;
    if (this.subjects.length === mostSubjects) return true;
    const isPlural =
      count === undefined &&
      !isExact &&
      words.some(({ plain: word }) => /[^su]s$/.test(word) && !oneInPlural.test(word));
    const related = this.subjects.length > 0 && { position: position ?? ('beside' as const) };
    this.noun = { drawing, count: count ?? (isPlural ? 3 : 1), size, ...look, ...related };
    this.subjects.push(this.noun);
    for (const companion of beside)
      if (!this.excluded.has(companion.drawing)) this.subjects.push({ ...companion, count: 1, position: 'beside' });
    return true;
  }

  /** Ends a phrase: adjectives and counts do not refer to nouns beyond punctuation. */
  endPhrase(): void {
    this.pending = {};
    this.noun = undefined;
  }

  readUnknown({ words: [word] }: Phrase, isComplement: boolean): void {
    if (!isComplement) this.noun = undefined;
    // In Portuguese a noun follows its count at once; in English, unknown adjectives may come between.
    if (this.language === 'pt') this.pending = {};
    if (word && word.plain.length > 2 && !/(ly|mente)$/.test(word.plain)) this.unknown.push(word.text);
  }
}

function readAs(reading: Reading, prompt: string): PromptReader {
  const words = wordsOf(prompt);
  const reader = new PromptReader(reading);
  for (let at = 0; at < words.length; ) {
    const phrases = phrasesAt(words, at);
    const { isAfterOf } = reader;
    const understood = phrases.find((phrase) => reader.read(phrase));
    const single = phrases.at(-1);
    if (!understood && single) reader.readUnknown(single, isAfterOf);
    at += understood?.words.length ?? 1;
    if (words[at - 1]?.endsPhrase) reader.endPhrase();
  }
  return reader;
}

/**
 * Looks for drawings by their names first. If the prompt names none, furniture is drawn as an object, although it
 * usually stands for a room. If that finds nothing either, drawings with matching keywords are drawn.
 */
function readIn(language: Language, prompt: string, excluded: ReadonlySet<string>): PromptReader {
  const readings = [{}, { isAlone: true }, { usesTags: true }].map((more) =>
    readAs({ language, excluded, ...more }, prompt),
  );
  const [named] = readings as [PromptReader];
  return readings.find(({ subjects }) => subjects.length > 0) ?? named;
}

/**
 * Reads a prompt in the language of its function words, such as articles; if these do not decide, in the language in
 * which more of its words are known.
 */
function read(prompt: string, excluded: ReadonlySet<string>): PromptReader {
  const text = plain(prompt);
  const count = (words: RegExp): number => (text.match(words) ?? []).length;
  const lead = count(portugueseWords) - count(englishWords);
  if (lead !== 0) return readIn(lead > 0 ? 'pt' : 'en', prompt, excluded);
  const [english, portuguese] = [readIn('en', prompt, excluded), readIn('pt', prompt, excluded)];
  return portuguese.unknown.length < english.unknown.length ? portuguese : english;
}

const without = /(?<!\p{L})(?:sem|without)\s+(\p{L}+)/giu;

/** The scene of a prompt, without what the negative prompt names. */
export function sceneBrief(prompt: string, negativePrompt = ''): SceneBrief {
  const absent = [...prompt.matchAll(without)].map(([, word]) => word);
  const unwanted = read([negativePrompt, ...absent].join(', '), new Set());
  const excluded = new Set(unwanted.subjects.map(({ drawing }) => drawing));
  const { subjects, styles: named, action, unknown, others } = read(prompt.replaceAll(without, ''), excluded);
  return {
    subjects,
    words: others.filter((phrase) => !unwanted.others.includes(phrase)).join(' '),
    styles: named.filter((style) => !unwanted.styles.includes(style)),
    action,
    unknown: unknown.filter((word) => !unwanted.unknown.includes(word)),
  };
}
