/** Drawings of objects, as SVG of 32 by 32, in their own or another color. */
import icons from '@iconify-json/fluent-emoji-flat/icons.json' with { type: 'json' };
import { ownDrawings } from './own-drawings.ts';
import type { Color } from './prompt-terms.ts';

const emoji = icons.icons as Readonly<Record<string, { readonly body: string }>>;

const bodyOf = (name: string): string | undefined => ownDrawings[name] ?? emoji[name]?.body;

export const drawingSize = 32;

interface Shade {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function shadeOf(hex: string): Shade {
  const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255);
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const [lightness, spread] = [(least + most) / 2, most - least];
  if (spread === 0) return { hue: 0, saturation: 0, lightness: lightness * 100 };
  const sixths =
    most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return {
    hue: sixths * 60,
    saturation: (100 * spread) / (1 - Math.abs(2 * lightness - 1)),
    lightness: lightness * 100,
  };
}

/** Whether a shade keeps its color when the drawing is recolored: nearly white or black details, such as eyes. */
const isDetail = ({ lightness }: Shade): boolean => lightness > 93 || lightness < 16;

function inColor(hex: string, { hue, saturation, lightness }: Color): string {
  const shade = shadeOf(hex);
  if (isDetail(shade)) return `#${hex}`;
  const light = lightness === undefined ? shade.lightness : lightness + 0.3 * (shade.lightness - 55);
  return `hsl(${hue},${saturation}%,${Math.round(Math.min(96, Math.max(8, light)))}%)`;
}

/** The elements of a drawing; `id` makes the ids in them unique within a scene. */
export function drawingOf(name: string, id: string, color?: Color): string {
  const body = bodyOf(name) ?? '';
  const own = body.replaceAll(/(\bid="|url\(#|href="#)/g, `$1${id}`);
  return color ? own.replaceAll(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi, (_, hex: string) => inColor(hex, color)) : own;
}

export const hasDrawing = (name: string): boolean => bodyOf(name) !== undefined;
