/** Text layers for images: lines of text, and the small label that marks a generated image. */
import sharp, { type OverlayOptions } from 'sharp';
import { printable } from './fonts.ts';

export interface TextLayer {
  /** The layer as a PNG with transparency. */
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

interface TextOptions {
  readonly text: string;
  /** The font size in pixels. */
  readonly size: number;
  readonly weight?: 'regular' | 'semibold';
  /** The width in pixels at which lines wrap; further lines are cut off. */
  readonly width: number;
  readonly lines?: number;
  readonly color?: string;
  readonly align?: 'left' | 'center';
}

/** The average width of a letter relative to its height. */
const letterWidth = 0.56;

const shortened = (text: string, letters: number) => {
  const characters = Array.from(text);
  if (characters.length <= letters) return text;
  return `${characters
    .slice(0, Math.max(1, letters - 1))
    .join('')
    .trimEnd()}…`;
};

/** How many characters fit into lines of the given width; longer texts are truncated. */
export const lettersWithin = ({ size, width, lines = 1 }: Pick<TextOptions, 'size' | 'width' | 'lines'>): number =>
  Math.max(4, Math.floor(width / (size * letterWidth))) * lines - (lines - 1) * 3;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The layer; undefined if none of the text can be displayed. */
export const textLayer = async (options: TextOptions): Promise<TextLayer | undefined> => {
  const { size, width, weight = 'regular', color = '#ffffff', align = 'left' } = options;
  const shown = shortened(printable(options.text), lettersWithin(options));
  if (shown === '') return undefined;
  const family = weight === 'semibold' ? 'Inter SemiBold' : 'Inter';
  const markup = `<span font_family="${family}" foreground="${color}">${escaped(shown)}</span>`;
  const { data, info } = await sharp({
    text: {
      text: markup,
      font: `${family}, ${size}`,
      dpi: 72,
      rgba: true,
      width: Math.round(width),
      wrap: 'word-char',
      align,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
};

/** A background that keeps letters readable on any image. */
const darkPaper = '#101014c8';

interface PaperOptions extends Pick<TextOptions, 'text' | 'size' | 'width' | 'lines'> {
  readonly color?: string;
  /** The color behind the letters. */
  readonly paper?: string;
}

/** Centered lines on a rounded background; undefined if none of the text can be displayed. */
export const paperLayer = async (options: PaperOptions): Promise<TextLayer | undefined> => {
  const { size, color = '#ffffff', paper = darkPaper } = options;
  const letters = await textLayer({ ...options, weight: 'semibold', color, align: 'center' });
  if (!letters) return undefined;
  const [width, height] = [letters.width + Math.round(size * 1.2), letters.height + Math.round(size * 0.8)];
  const [left, top] = [Math.round((width - letters.width) / 2), Math.round((height - letters.height) / 2)];
  const box = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${size * 0.45}" fill="${paper}"/></svg>`;
  const png = await sharp(Buffer.from(box))
    .composite([at(letters, left, top)])
    .png()
    .toBuffer();
  return { png, width, height };
};

/** The small label that marks a generated image; `size` is the font size. */
export const labelLayer = async (text: string, size: number): Promise<TextLayer> => {
  const label = await paperLayer({ text, size, width: size * text.length, color: '#ffffffee', paper: '#0b0b128c' });
  if (!label) throw new Error(`The label "${text}" has no letters`);
  return label;
};

/** The font size of a label, in proportion to an image or a part of it. */
export const labelSize = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.max(9, Math.round(Math.min(width, height) / 42));

export const at = ({ png }: TextLayer, left: number, top: number): OverlayOptions => ({
  input: png,
  left: Math.round(left),
  top: Math.round(top),
});
