/** Captions in time with speech: a few words at a time, each while it is spoken. */
import sharp from 'sharp';
import { textLayer } from '../image/text-layer.ts';
import { type Frame, type FrameSize, type Layer, layerOf, paintLayer } from './frame.ts';

export interface CaptionStyle {
  /** The font size relative to the frame's width. */
  readonly size: number;
  readonly color: string;
  /** The color behind the words; without one, they have a shadow. */
  readonly box?: string;
  /** The vertical center of the words, relative to the frame's height. */
  readonly middle: number;
}

interface Cue {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const mostWords = 3;
const mostLetters = 18;

/** Groups of words that are shown together; punctuation ends a group. */
const captionGroups = (text: string): readonly string[] => {
  const groups: string[][] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const group = groups.at(-1);
    const isFull =
      !group ||
      group.length >= mostWords ||
      [...group, word].join(' ').length > mostLetters ||
      /[.,;:!?…]$/u.test(group.at(-1) ?? '');
    if (isFull) groups.push([word]);
    else group.push(word);
  }
  return groups.map((group) => group.join(' '));
};

/** Roughly how long a text takes to speak: vowels are long, digits are words, and punctuation is a pause. */
const weightOf = (text: string): number => {
  const count = (letters: RegExp) => text.normalize('NFD').match(letters)?.length ?? 0;
  return 0.5 + 0.5 * count(/\p{L}/gu) + 1.5 * count(/[aeiouy]+/giu) + 5 * count(/\p{N}/gu) + 3 * count(/[.,;:!?…]/gu);
};

export const captionCues = (text: string, startSeconds: number, seconds: number): readonly Cue[] => {
  const groups = captionGroups(text);
  const weights = groups.map(weightOf);
  // Without the pause after the last words.
  const total = weights.reduce((sum, weight) => sum + weight, 0) - 3 * (/[.,;:!?…]$/u.test(text.trim()) ? 1 : 0);
  let spoken = 0;
  const time = () => startSeconds + seconds * Math.min(1, spoken / total);
  return groups.map((text, index) => {
    const from = time();
    spoken += weights[index] ?? 0;
    return { text, startSeconds: from, endSeconds: time() };
  });
};

const shadowed = async (png: Buffer, width: number, height: number, size: number): Promise<Buffer> => {
  const around = Math.ceil(size * 0.3);
  const canvas = { width: width + 2 * around, height: height + 2 * around, channels: 4 as const };
  const empty = sharp({ create: { ...canvas, background: '#00000000' } });
  const words = await empty
    .composite([{ input: png, left: around, top: around }])
    .png()
    .toBuffer();
  const alpha = await sharp(words)
    .extractChannel(3)
    .blur(Math.max(0.4, size * 0.11))
    .linear(8, 0)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const black = { create: { width: canvas.width, height: canvas.height, channels: 3 as const, background: '#050508' } };
  const shadow = await sharp(black)
    .joinChannel(alpha, { raw: { width: canvas.width, height: canvas.height, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(shadow)
    .composite([{ input: words }])
    .png()
    .toBuffer();
};

const boxed = (png: Buffer, width: number, height: number, size: number, color: string): Promise<Buffer> => {
  const [boxWidth, boxHeight] = [width + Math.round(size * 0.9), height + Math.round(size * 0.6)];
  const box = `<svg xmlns="http://www.w3.org/2000/svg" width="${boxWidth}" height="${boxHeight}"><rect width="${boxWidth}" height="${boxHeight}" rx="${size * 0.28}" fill="${color}"/></svg>`;
  const [left, top] = [Math.round((boxWidth - width) / 2), Math.round((boxHeight - height) / 2)];
  return sharp(Buffer.from(box))
    .composite([{ input: png, left, top }])
    .png()
    .toBuffer();
};

/** The layer; undefined if none of the words can be displayed. */
const captionLayer = async (text: string, style: CaptionStyle, frame: FrameSize): Promise<Layer | undefined> => {
  const size = Math.round(style.size * frame.width);
  const words = await textLayer({
    text,
    size,
    weight: 'semibold',
    width: frame.width * 0.9,
    lines: 2,
    colour: style.color,
  });
  if (!words) return undefined;
  const { png, width, height } = words;
  const made = style.box ? await boxed(png, width, height, size, style.box) : await shadowed(png, width, height, size);
  const painted = await layerOf(sharp(made), 0, 0);
  const { image } = painted;
  return {
    image,
    left: Math.round((frame.width - image.width) / 2),
    top: Math.round(style.middle * frame.height - image.height / 2),
  };
};

/** Paints the words that are spoken at a time. */
export const captions = async (
  cues: readonly Cue[],
  style: CaptionStyle,
  frame: FrameSize,
): Promise<(frame: Frame, seconds: number) => void> => {
  const layers = await Promise.all(
    cues.map(async (cue) => ({ cue, layer: await captionLayer(cue.text, style, frame) })),
  );
  return (painted, seconds) => {
    for (const { cue, layer } of layers) {
      if (layer && seconds >= cue.startSeconds && seconds < cue.endSeconds) paintLayer(painted, layer);
    }
  };
};
