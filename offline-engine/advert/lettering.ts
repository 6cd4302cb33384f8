/** Lettering for advertisements: centered lines, optionally on a rounded background. */
import sharp from 'sharp';
import { at, textLayer } from '../image/text-layer.ts';
import { type Sprite, spriteOf } from './sprite.ts';

export interface Lettering {
  readonly text: string;
  /** The font size. */
  readonly size: number;
  /** The width at which lines wrap. */
  readonly width: number;
  readonly lines?: number;
  readonly ink?: string;
  /** The color behind the letters; without one, they have a soft shadow. */
  readonly paper?: string;
}

/** A background that keeps letters readable on any image. */
export const paperOverImages = '#101014c8';

const paperSvg = (width: number, height: number, radius: number, fill: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}" fill="${fill}"/></svg>`,
  );

/** Undefined if none of the text can be displayed. */
export const lettering = async ({ paper, ink = '#ffffff', ...text }: Lettering): Promise<Sprite | undefined> => {
  const { size } = text;
  const letters = await textLayer({ ...text, weight: 'semibold', colour: ink, align: 'centre' });
  if (!letters) return undefined;
  const [marginX, marginY] = [Math.round(size * 0.7), Math.round(size * 0.42)];
  const [width, height] = [letters.width + 2 * marginX, letters.height + 2 * marginY];
  if (paper !== undefined) {
    const backing = sharp(paperSvg(width, height, size * 0.45, paper));
    return spriteOf(
      sharp(
        await backing
          .composite([at(letters, marginX, marginY)])
          .png()
          .toBuffer(),
      ),
    );
  }
  const blank = { create: { width, height, channels: 4 as const, background: '#00000000' } };
  const dark = await textLayer({ ...text, weight: 'semibold', colour: '#000000', align: 'centre' });
  const shade = await sharp(blank)
    .composite(dark ? [at(dark, marginX, marginY + size * 0.05)] : [])
    .png()
    .toBuffer();
  const blurred = await sharp(shade)
    .blur(Math.max(0.5, size * 0.12))
    .png()
    .toBuffer();
  const layers = [{ input: blurred }, { input: blurred }, at(letters, marginX, marginY)];
  return spriteOf(sharp(await sharp(blank).composite(layers).png().toBuffer()));
};
