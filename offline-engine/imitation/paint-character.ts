/** Paints a moved character in front of its background. */
import { blendPixels, type Frame, mixPixels } from '../video/frame.ts';
import type { Movement } from './pose-path.ts';
import type { Stage } from './stage.ts';

type Pixels = Pick<Frame, 'width' | 'height' | 'pixels'>;

const wordsOf = ({ width, height, pixels }: Stage['background']): Pixels => ({
  width,
  height,
  pixels: new Uint32Array(pixels.buffer, pixels.byteOffset, width * height),
});

/** Maps positions in the frame to positions in the character's image. */
interface Mapping {
  readonly x: number;
  readonly y: number;
  /** The step for one pixel to the right in the frame; for one pixel down it is the same, rotated by 90°. */
  readonly across: number;
  readonly down: number;
}

const mappingOf = ({ left, top, center }: Stage, frame: Frame, { x, y, scale, angle }: Movement): Mapping => {
  const [across, down] = [Math.cos(-angle) / scale, Math.sin(-angle) / scale];
  const [fromX, fromY] = [center.x + x * frame.width, center.y + y * frame.height];
  return {
    x: center.x - left - fromX * across + fromY * down,
    y: center.y - top - fromX * down - fromY * across,
    across,
    down,
  };
};

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The area that the character fills in its image; beyond a truncated edge, it is mirrored. */
const filledArea = ({ box, character: { width, height } }: Stage): Area => ({
  left: box.left <= 1 ? -width / 2 : box.left - 1,
  top: box.top <= 1 ? -height / 2 : box.top - 1,
  right: box.left + box.width >= width - 1 ? width * 1.5 : box.left + box.width + 1,
  bottom: box.top + box.height >= height - 1 ? height * 1.5 : box.top + box.height + 1,
});

/** The area in which a pixel has all neighbors, however positions are rounded. */
const insideOf = ({ width, height }: Pixels): Area => ({
  left: 0.1,
  top: 0.1,
  right: width - 1.1,
  bottom: height - 1.1,
});

/**
 * The part of a row, from `first` to before `last`, whose positions are in the area; empty at `last` if there is none.
 */
const spanOf = (
  area: Area,
  { x, y, across, down }: Mapping,
  row: number,
  first: number,
  last: number,
): readonly [number, number] => {
  let [from, to] = [first, last];
  const narrow = (start: number, step: number, least: number, most: number) => {
    if (Math.abs(step) < 1e-9) {
      if (start < least || start > most) to = first;
      return;
    }
    const [one, other] = [(least - start) / step, (most - start) / step];
    from = Math.max(from, Math.ceil(Math.min(one, other)));
    to = Math.min(to, Math.floor(Math.max(one, other)) + 1);
  };
  narrow(x - row * down, across, area.left, area.right);
  narrow(y + row * across, down, area.top, area.bottom);
  return from < to ? [from, to] : [last, last];
};

const mirrored = (at: number, length: number): number => {
  const inside = at < 0 ? -1 - at : at >= length ? 2 * length - 1 - at : at;
  return inside < 0 ? 0 : inside >= length ? length - 1 : inside;
};

const { imul } = Math;

/** Positions are in 1/65536 pixel. */
const one = 2 ** 16;

/** Interpolates the opacity between four neighbors, from 0 to 256. */
const opacityBetween = (a: number, b: number, c: number, d: number, right: number, below: number): number => {
  const upper = imul(a >>> 24, 256 - right) + imul(b >>> 24, right);
  const lower = imul(c >>> 24, 256 - right) + imul(d >>> 24, right);
  const alpha = (imul(upper, 256 - below) + imul(lower, below)) >>> 16;
  return alpha + (alpha >> 7);
};

/**
 * A part of a row with the position of its first pixel in the character's image, as 32-bit integers because calculating
 * with other numbers takes twice as long.
 */
const runOf = ({ x, y, across, down }: Mapping, row: number, width: number, from: number, end: number) => ({
  to: row * width + from,
  last: row * width + end,
  u: Math.round((x - row * down + from * across) * one) | 0,
  v: Math.round((y + row * across + from * down) * one) | 0,
  across: Math.round(across * one) | 0,
  down: Math.round(down * one) | 0,
});

type Run = ReturnType<typeof runOf>;

/** Paints a run that stays in the character's image, as most do: a million pixels per frame. */
const paintInside = (frame: Pixels, { pixels, width }: Pixels, { to, last, u, v, across, down }: Run): void => {
  for (let at = to, x = u, y = v; at < last; at += 1, x = (x + across) | 0, y = (y + down) | 0) {
    const corner = imul(y >> 16, width) + (x >> 16);
    const a = pixels[corner] ?? 0;
    const b = pixels[corner + 1] ?? 0;
    const c = pixels[corner + width] ?? 0;
    const d = pixels[corner + width + 1] ?? 0;
    const right = (x >> 8) & 255;
    const below = (y >> 8) & 255;
    if ((a | b | c | d) >>> 24 === 0) continue;
    const color = blendPixels(a, b, c, d, right, below);
    frame.pixels[at] =
      (a & b & c & d) >>> 24 === 255
        ? color
        : mixPixels(frame.pixels[at] ?? 0, color, opacityBetween(a, b, c, d, right, below));
  }
};

/** Paints a run beyond an edge of the character's image, where it is mirrored. */
const paintMirrored = (frame: Pixels, character: Pixels, { to, last, u, v, across, down }: Run): void => {
  const { pixels, width, height } = character;
  for (let at = to, x = u, y = v; at < last; at += 1, x = (x + across) | 0, y = (y + down) | 0) {
    const left = mirrored(x >> 16, width);
    const right = mirrored((x >> 16) + 1, width);
    const upper = mirrored(y >> 16, height) * width;
    const lower = mirrored((y >> 16) + 1, height) * width;
    const a = pixels[upper + left] ?? 0;
    const b = pixels[upper + right] ?? 0;
    const c = pixels[lower + left] ?? 0;
    const d = pixels[lower + right] ?? 0;
    const color = blendPixels(a, b, c, d, (x >> 8) & 255, (y >> 8) & 255);
    const opacity = opacityBetween(a, b, c, d, (x >> 8) & 255, (y >> 8) & 255);
    frame.pixels[at] = mixPixels(frame.pixels[at] ?? 0, color, opacity);
  }
};

/** Returns a function that paints the whole frame for a movement. */
export const characterPainter = (stage: Stage): ((frame: Frame, movement: Movement) => void) => {
  const [background, character] = [wordsOf(stage.background), wordsOf(stage.character)];
  const area = filledArea(stage);
  const inside = insideOf(character);
  return (frame, movement) => {
    frame.pixels.set(background.pixels);
    const { width } = frame;
    const mapping = mappingOf(stage, frame, movement);
    for (let row = 0; row < frame.height; row += 1) {
      const [from, end] = spanOf(area, mapping, row, 0, width);
      const [first, last] = spanOf(inside, mapping, row, from, end);
      paintMirrored(frame, character, runOf(mapping, row, width, from, first));
      paintInside(frame, character, runOf(mapping, row, width, first, last));
      paintMirrored(frame, character, runOf(mapping, row, width, last, end));
    }
  };
};
