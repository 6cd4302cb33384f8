/**
 * Shows the words of a prompt that the scene cannot show: on a sign in the scene, or across the image if the scene
 * shows nothing else.
 */
import sharp, { type OverlayOptions } from 'sharp';
import type { FrameSize } from '../image/frame-size.ts';
import { at, paperLayer, type TextLayer, textLayer } from '../image/text-layer.ts';
import { rect } from './svg.ts';

const board = async (words: string, unit: number): Promise<TextLayer | undefined> => {
  const size = 0.042 * unit;
  const letters = await textLayer({
    text: words,
    size,
    width: 0.42 * unit,
    lines: 3,
    weight: 'semibold',
    color: '#3b2412',
  });
  if (!letters) return undefined;
  const [width, plank] = [letters.width + 1.6 * size, letters.height + 1.4 * size];
  const height = plank + 2 * size;
  const wood = `${rect(0.46 * width, plank, 0.08 * width, 2 * size, '#7a5230')}<rect width="${width}" height="${plank}" rx="${0.3 * size}" fill="#c99a62" stroke="#7a5230" stroke-width="${0.16 * size}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width)}" height="${Math.round(height)}">${wood}</svg>`;
  const png = await sharp(Buffer.from(svg))
    .composite([at(letters, 0.8 * size, 0.7 * size)])
    .png()
    .toBuffer();
  return { png, width: Math.round(width), height: Math.round(height) };
};

export async function signOf(
  unknown: readonly string[],
  isAlone: boolean,
  { width, height }: FrameSize,
): Promise<OverlayOptions[]> {
  const words = unknown.join(' ');
  const unit = Math.min(width, height);
  if (words === '') return [];
  if (isAlone) {
    const poster = await paperLayer({ text: words, size: Math.round(0.07 * unit), width: 0.8 * width, lines: 4 });
    return poster ? [at(poster, (width - poster.width) / 2, (height - poster.height) / 2)] : [];
  }
  const sign = await board(words, unit);
  return sign ? [at(sign, 0.04 * unit, height - sign.height - 0.02 * unit)] : [];
}
