/** Keeps the whole of a moving figure in the frame. */
import type { Point } from '../image/face-finder.ts';
import type { FrameSize } from '../image/frame-size.ts';
import type { Movement } from './pose-path.ts';

/** The box of a figure at rest, in pixels of the frame. */
export interface Figure {
  readonly middle: Point;
  readonly width: number;
  readonly height: number;
  /** The sides at which the image cuts the figure off; there, the figure may reach beyond the frame. */
  readonly cut: Readonly<Record<'left' | 'top' | 'right' | 'bottom', boolean>>;
}

/** The width and height of the figure's box when it is rotated and scaled. */
const turned = ({ width, height }: Figure, { scale, angle }: Pick<Movement, 'scale' | 'angle'>) => {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return { width: scale * (cos * width + sin * height), height: scale * (sin * width + cos * height) };
};

/** The factor by which the figure fits in the frame during all movements; 1 if it does anyway. */
function factorOf(size: FrameSize, figure: Figure, movements: readonly Movement[]): number {
  const { left, top, right, bottom } = figure.cut;
  const factors = movements.flatMap((movement) => {
    const box = turned(figure, movement);
    return [...(left && right ? [] : [size.width / box.width]), ...(top && bottom ? [] : [size.height / box.height])];
  });
  return Math.min(1, ...factors);
}

/** The least shift that brings a span into a range; a side at which the figure is cut off may stay outside. */
function shiftOf(middle: number, length: number, all: number, isCutBefore: boolean, isCutAfter: boolean): number {
  const before = isCutBefore ? 0 : Math.max(0, length / 2 - middle);
  const after = isCutAfter ? 0 : Math.max(0, middle + length / 2 - all);
  return before - after;
}

/**
 * The position of the figure's center in pixels of the frame, with its scale and angle, for each movement from its
 * initial position. Movements are reduced only as far as necessary to keep the whole figure in the frame, standing
 * where it stood.
 */
export function posesWithin(
  size: FrameSize,
  figure: Figure,
  center: Point,
  movements: readonly Movement[],
): readonly Movement[] {
  const factor = factorOf(size, figure, movements);
  const { cut } = figure;
  const ground = { x: figure.middle.x, y: figure.middle.y + figure.height / 2 };
  const smaller = ({ x, y }: Point): Point => ({
    x: ground.x + factor * (x - ground.x),
    y: ground.y + factor * (y - ground.y),
  });
  const [rest, middle] = [smaller(center), smaller(figure.middle)];
  const [across, down] = [middle.x - rest.x, middle.y - rest.y];
  return movements.map(({ x, y, scale, angle }) => {
    const box = turned(figure, { scale: scale * factor, angle });
    const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
    const at = { x: rest.x + x * size.width, y: rest.y + y * size.height };
    const seen = { x: at.x + cos * across - sin * down, y: at.y + sin * across + cos * down };
    return {
      x: at.x + shiftOf(seen.x, box.width, size.width, cut.left, cut.right),
      y: at.y + shiftOf(seen.y, box.height, size.height, cut.top, cut.bottom),
      scale: scale * factor,
      angle,
    };
  });
}
