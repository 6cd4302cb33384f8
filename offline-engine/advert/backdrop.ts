/** The backdrops of advertisements: drawn, and slightly out of focus. */
import sharp from 'sharp';
import { colourOf } from '../image/generated-art.ts';
import { seededRandom } from '../image/seeded-random.ts';
import type { FrameSize } from '../video/frame.ts';
import { indoors } from './places-indoors.ts';
import { outdoors } from './places-outdoors.ts';
import type { DrawPlace } from './shapes.ts';
import { type Sprite, spriteOf } from './sprite.ts';

const places: Readonly<Record<string, DrawPlace>> = { ...indoors, ...outdoors };

const hex = (hue: number, saturation: number, lightness: number): string =>
  `#${colourOf(hue, saturation, lightness)
    .map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
    .join('')}`;

/** Soft light on a plain color, for an unknown setting. */
const plainPlace =
  (seed: string): DrawPlace =>
  ({ width, height }) => {
    const hue = seededRandom(seed).next();
    return `<defs><radialGradient id="light" cx="0.5" cy="0.38" r="0.8"><stop offset="0" stop-color="${hex(hue, 0.5, 0.86)}"/><stop offset="1" stop-color="${hex(hue + 0.06, 0.5, 0.5)}"/></radialGradient></defs>
<rect width="${width}" height="${height}" fill="url(#light)"/>
<ellipse cx="${width / 2}" cy="${height * 0.86}" rx="${width * 0.62}" ry="${height * 0.16}" fill="#fff" opacity="0.22"/>`;
  };

/** The size relative to the frame, so that the camera can move. */
const oversize = 1.14;

/** An opaque sprite larger than the frame. `id` is a setting's id, or any other text for a plain backdrop. */
export const backdropOf = async (id: string, { width, height }: FrameSize): Promise<Sprite> => {
  const size = { width: Math.round(width * oversize), height: Math.round(height * oversize) };
  const draw = Object.hasOwn(places, id) ? places[id] : undefined;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${(draw ?? plainPlace(id))(size)}</svg>`;
  const sharpness = Math.max(0.6, Math.min(width, height) * 0.0035);
  return spriteOf(sharp(Buffer.from(svg)).flatten({ background: '#808080' }).blur(sharpness));
};
