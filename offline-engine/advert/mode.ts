/** Defines a mode of advertisements: its layout, movement, pace and music. */
import type { Frame } from '../video/frame.ts';
import type { LetteredAt } from './lettered.ts';
import { between, easedBoth } from './motion.ts';
import { drawnSprite, paintSprite, type Sprite } from './sprite.ts';
import type { Stage } from './stage.ts';

/** Paints everything below the title, the captions and the call to action. */
export type PaintScene = (frame: Frame, seconds: number) => void;

export interface Mode {
  /** The color of the title's background and of the button. */
  readonly accent: string;
  /** The color of letters on the accent. */
  readonly ink: string;
  /** Whether the title is below the scene, where it hides no faces. */
  readonly hasTitleBelow?: true;
  prepare(stage: Stage): Promise<PaintScene>;
  /** Texts that belong to the scene, painted above it. */
  letter?(stage: Stage): Promise<LetteredAt>;
}

export interface Camera {
  /** The zoom: at 1, the scene is slightly larger than the frame; at least 0.9. */
  readonly zoom?: number;
  /** The offset from the center, from -1 to 1 of the available margin. */
  readonly x?: number;
  readonly y?: number;
}

export const paintBackdrop = (frame: Frame, { backdrop, size }: Stage, { zoom = 1, x = 0, y = 0 }: Camera): void => {
  const room = (whole: number, shown: number) => Math.max(0, (whole * zoom - shown) / 2 - 2);
  paintSprite(frame, backdrop, {
    x: size.width / 2 + x * room(backdrop.width, size.width),
    y: size.height / 2 + y * room(backdrop.height, size.height),
    scale: zoom,
    isSoft: true,
  });
};

/** Moves slowly from one camera position to the other over the whole video. */
export const dolly = (from: Required<Camera>, to: Required<Camera>, share: number): Camera => {
  const part = easedBoth(share);
  return { zoom: between(from.zoom, to.zoom, part), x: between(from.x, to.x, part), y: between(from.y, to.y, part) };
};

/** The scale at which a sprite fits into a box. */
export const scaleFor = (
  { width, height }: Sprite,
  most: { readonly width: number; readonly height: number },
): number => Math.min(most.width / width, most.height / height);

/** A soft shadow to place below something of this width. */
export const softShadow = (width: number): Promise<Sprite> => {
  const height = width * 0.22;
  return drawnSprite(
    width,
    height,
    `<defs><radialGradient id="s"><stop offset="0" stop-color="#000" stop-opacity="0.55"/><stop offset="0.6" stop-color="#000" stop-opacity="0.22"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs><ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 2}" ry="${height / 2}" fill="url(#s)"/>`,
  );
};

/** A disc with a soft edge, used for lights. */
export const softDisc = (side: number, colour: string): Promise<Sprite> =>
  drawnSprite(
    side,
    side,
    `<defs><radialGradient id="d"><stop offset="0" stop-color="${colour}"/><stop offset="0.5" stop-color="${colour}" stop-opacity="0.55"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient></defs><circle cx="${side / 2}" cy="${side / 2}" r="${side / 2}" fill="url(#d)"/>`,
  );

/** A plain color over the whole frame. */
export const veil = ({ size }: Stage, colour: string): Promise<Sprite> =>
  drawnSprite(size.width + 8, size.height + 8, `<rect width="100%" height="100%" fill="${colour}"/>`);
