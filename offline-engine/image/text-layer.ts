/** Text layers for images: lines of text, and the small label that marks a generated image. */
import sharp, { type OverlayOptions } from 'sharp';
import { printable } from './fonts.ts';

export interface TextLayer {
  /** A PNG with transparency. */
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
  readonly colour?: string;
  readonly align?: 'left' | 'centre';
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

/** How many characters fit into lines of a width; longer texts are truncated. */
export const lettersWithin = ({ size, width, lines = 1 }: Pick<TextOptions, 'size' | 'width' | 'lines'>): number =>
  Math.max(4, Math.floor(width / (size * letterWidth))) * lines - (lines - 1) * 3;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The layer; undefined if none of the text can be displayed. */
export const textLayer = async (options: TextOptions): Promise<TextLayer | undefined> => {
  const { size, width, weight = 'regular', colour = '#ffffff', align = 'left' } = options;
  const shown = shortened(printable(options.text), lettersWithin(options));
  if (shown === '') return undefined;
  const family = weight === 'semibold' ? 'Inter SemiBold' : 'Inter';
  const markup = `<span font_family="${family}" foreground="${colour}">${escaped(shown)}</span>`;
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

const rectangle = (width: number, height: number, radius: number, fill: string, opacity: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}" fill="${fill}" fill-opacity="${opacity}"/></svg>`,
  );

/** Light text on a dark rounded box, readable on any background; `size` is the font size. */
export const labelLayer = async (text: string, size: number): Promise<TextLayer> => {
  const letters = await textLayer({ text, size, width: size * text.length, colour: '#ffffffee' });
  if (!letters) throw new Error(`The label "${text}" has no letters`);
  const [width, height] = [Math.round(letters.width + size * 1.5), Math.round(size * 2)];
  const top = Math.round((height - letters.height) / 2);
  const png = await sharp(rectangle(width, height, height / 2, '#0b0b12', 0.55))
    .composite([{ input: letters.png, left: Math.round((width - letters.width) / 2), top }])
    .png()
    .toBuffer();
  return { png, width, height };
};

/** The font size of a label, in proportion to an image or a part of it. */
export const labelSize = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.max(9, Math.round(Math.min(width, height) / 42));

export const at = ({ png }: TextLayer, left: number, top: number): OverlayOptions => ({
  input: png,
  left: Math.round(left),
  top: Math.round(top),
});
