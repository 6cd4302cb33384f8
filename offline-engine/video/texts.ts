/** Texts in videos: lettering, captions in time with speech, and the engine's mark. */
import sharp from 'sharp';
import type { FrameSize } from '../image/frame-size.ts';
import { labelLayer, labelSize, lettersWithin, paperLayer } from '../image/text-layer.ts';
import { passed } from './motion.ts';
import { type Layer, still } from './scene.ts';
import { type Sprite, spriteOf } from './sprite.ts';

interface Lettering {
  readonly text: string;
  /** The font size. */
  readonly size: number;
  /** The width at which lines wrap. */
  readonly width: number;
  readonly lines: number;
  readonly color?: string;
  /** The color behind the letters. */
  readonly paper?: string;
}

/** Centered lines on a rounded background; undefined if none of the text can be displayed. */
export const lettering = async (options: Lettering): Promise<Sprite | undefined> => {
  const layer = await paperLayer(options);
  return layer && spriteOf(sharp(layer.png));
};

/** The engine's mark in the lower left corner. */
export const markOn = async (size: FrameSize, text = 'sandbox video'): Promise<Layer> => {
  const sprite = await spriteOf(sharp((await labelLayer(text, labelSize(size))).png));
  const margin = labelSize(size);
  return still(sprite, { x: margin + sprite.width / 2, y: size.height - margin - sprite.height / 2 });
};

export interface Cue {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Splits words into groups; `isFull` tells whether a word begins a new one. */
const grouped = (text: string, isFull: (group: string, word: string, groups: number) => boolean): readonly string[] => {
  const groups: string[] = [];
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const group = groups.at(-1);
    if (group === undefined || isFull(group, word, groups.length)) groups.push(word);
    else groups[groups.length - 1] = `${group} ${word}`;
  }
  return groups;
};

const endsClause = /[.,;:!?…]$/u;

/** Roughly how long a text takes to speak: vowels are long, digits are words, and punctuation is a pause. */
const weightOf = (text: string): number => {
  const count = (letters: RegExp) => text.normalize('NFD').match(letters)?.length ?? 0;
  return 0.5 + 0.5 * count(/\p{L}/gu) + 1.5 * count(/[aeiouy]+/giu) + 5 * count(/\p{N}/gu) + 3 * count(/[.,;:!?…]/gu);
};

/** Cues of a few words at a time, each shown while it is spoken. */
export const spokenCues = (text: string, startSeconds: number, seconds: number): readonly Cue[] => {
  const groups = grouped(
    text,
    (group, word) => endsClause.test(group) || group.split(' ').length >= 3 || `${group} ${word}`.length > 18,
  );
  const weights = groups.map(weightOf);
  // The time to speak the words, without the pause after the last one.
  const total = weights.reduce((sum, weight) => sum + weight, 0) - 3 * (endsClause.test(text.trim()) ? 1 : 0);
  let spoken = 0;
  const time = () => startSeconds + seconds * Math.min(1, spoken / total);
  return groups.map((words, index) => {
    const from = time();
    spoken += weights[index] ?? 0;
    return { text: words, startSeconds: from, endSeconds: time() };
  });
};

/** The minimum time for which each part of a long text is shown. */
const partSeconds = 1.6;

/** Distributes all words over parts that fit, each shown for the same time; the last part takes what remains. */
export const readCues = (text: string, fitting: number, startSeconds: number, seconds: number): readonly Cue[] => {
  const max = Math.max(1, Math.floor(seconds / partSeconds));
  const parts = grouped(text, (part, word, count) => count < max && `${part} ${word}`.length > fitting);
  const start = (index: number) => startSeconds + (index * seconds) / parts.length;
  return parts.map((part, index) => ({ text: part, startSeconds: start(index), endSeconds: start(index + 1) }));
};

export interface CaptionStyle extends Omit<Lettering, 'text'> {
  /** The vertical center of the words, in pixels. */
  readonly middle: number;
}

export const lettersOf = (style: CaptionStyle): number => lettersWithin(style);

/** Shows each cue at its time, briefly faded in and out; `endTop` keeps the words above what is below them. */
export const captionsOf = async (
  cues: readonly Cue[],
  { middle, ...style }: CaptionStyle,
  { width }: FrameSize,
  bottom: (seconds: number) => number = () => Number.POSITIVE_INFINITY,
): Promise<Layer> => {
  const words = await Promise.all(
    cues.map(async (cue) => ({ ...cue, sprite: await lettering({ ...style, text: cue.text }) })),
  );
  return (seconds) =>
    words.flatMap(({ sprite, startSeconds, endSeconds }) => {
      if (!sprite || seconds < startSeconds || seconds >= endSeconds) return [];
      const y = Math.min(middle, bottom(seconds) - sprite.height / 2);
      return [{ sprite, place: { x: width / 2, y, opacity: passed(seconds, startSeconds - 0.05, 0.1) } }];
    });
};
