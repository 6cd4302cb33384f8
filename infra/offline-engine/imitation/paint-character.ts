/** Paints a moved character before its background. */
import { type Frame, mixPixels } from '../video/frame.ts';
import type { Movement } from './pose-path.ts';
import type { Stage } from './stage.ts';

type Pixels = Pick<Frame, 'width' | 'height' | 'pixels'>;

const wordsOf = ({ width, height, pixels }: Stage['background']): Pixels => ({
  width,
  height,
  pixels: new Uint32Array(pixels.buffer, pixels.byteOffset, width * height),
});

/** How a position in the frame leads to one in the character's image. */
interface Mapping {
  readonly x: number;
  readonly y: number;
  /** One pixel to the right in the frame; one pixel down is the same, turned. */
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

/** The area that the character fills in its image; where the image cuts it off, it is continued as in a mirror. */
const filledArea = ({ box, character: { width, height } }: Stage): Area => ({
  left: box.left <= 1 ? -width / 2 : box.left - 1,
  top: box.top <= 1 ? -height / 2 : box.top - 1,
  right: box.left + box.width >= width - 1 ? width * 1.5 : box.left + box.width + 1,
  bottom: box.top + box.height >= height - 1 ? height * 1.5 : box.top + box.height + 1,
});

/** The part of a row whose positions are in the area. */
const spanOf = (area: Area, { x, y, across, down }: Mapping, row: number, width: number): readonly [number, number] => {
  let [from, to] = [0, width];
  const narrow = (start: number, step: number, least: number, most: number) => {
    if (Math.abs(step) < 1e-9) {
      if (start < least || start > most) to = 0;
      return;
    }
    const [one, other] = [(least - start) / step, (most - start) / step];
    from = Math.max(from, Math.ceil(Math.min(one, other)));
    to = Math.min(to, Math.floor(Math.max(one, other)) + 1);
  };
  narrow(x - row * down, across, area.left, area.right);
  narrow(y + row * across, down, area.top, area.bottom);
  return [from, to];
};

const mirrored = (at: number, length: number): number => {
  const inside = at < 0 ? -1 - at : at >= length ? 2 * length - 1 - at : at;
  return inside < 0 ? 0 : inside >= length ? length - 1 : inside;
};

/** Positions are in 1/65536 pixel. */
const one = 2 ** 16;

/** Interpolates the character's pixels and their opacity. Written out, because it runs a million times a frame. */
const paintRow = (frame: Pixels, character: Pixels, mapping: Mapping, row: number, from: number, end: number): void => {
  const { pixels, width, height } = character;
  const across = Math.round(mapping.across * one);
  const down = Math.round(mapping.down * one);
  let u = Math.round((mapping.x - row * mapping.down + from * mapping.across) * one);
  let v = Math.round((mapping.y + row * mapping.across + from * mapping.down) * one);
  let to = row * frame.width + from;
  for (let column = from; column < end; column += 1, to += 1, u += across, v += down) {
    const left = u >> 16;
    const top = v >> 16;
    const isInside = left >= 0 && top >= 0 && left < width - 1 && top < height - 1;
    const x0 = isInside ? left : mirrored(left, width);
    const x1 = isInside ? left + 1 : mirrored(left + 1, width);
    const y0 = (isInside ? top : mirrored(top, height)) * width;
    const y1 = isInside ? y0 + width : mirrored(top + 1, height) * width;
    const a = pixels[y0 + x0] ?? 0;
    const b = pixels[y0 + x1] ?? 0;
    const c = pixels[y1 + x0] ?? 0;
    const d = pixels[y1 + x1] ?? 0;
    if ((a | b | c | d) >>> 24 === 0) continue;
    const shareX = (u >> 8) & 255;
    const shareY = (v >> 8) & 255;
    const color = mixPixels(mixPixels(a, b, shareX), mixPixels(c, d, shareX), shareY);
    if ((a & b & c & d) >>> 24 === 255) {
      frame.pixels[to] = color;
      continue;
    }
    const upper = (a >>> 24) * (256 - shareX) + (b >>> 24) * shareX;
    const lower = (c >>> 24) * (256 - shareX) + (d >>> 24) * shareX;
    const alpha = (upper * (256 - shareY) + lower * shareY) >>> 16;
    frame.pixels[to] = mixPixels(frame.pixels[to] ?? 0, color, alpha + (alpha >> 7));
  }
};

/** Paints a whole frame for each movement. */
export const characterPainter = (stage: Stage): ((frame: Frame, movement: Movement) => void) => {
  const [background, character] = [wordsOf(stage.background), wordsOf(stage.character)];
  const area = filledArea(stage);
  return (frame, movement) => {
    frame.pixels.set(background.pixels);
    const mapping = mappingOf(stage, frame, movement);
    for (let row = 0; row < frame.height; row += 1) {
      const [from, end] = spanOf(area, mapping, row, frame.width);
      if (from < end) paintRow(frame, character, mapping, row, from, end);
    }
  };
};
