/** Lettering at its position at a time: painted above the scene, and measured. */
import type { Box } from '../image/box.ts';
import type { Frame } from '../video/frame.ts';
import { type Place, paintSprite, type Sprite } from './sprite.ts';

export interface Lettered {
  readonly sprite: Sprite;
  readonly place: Place;
}

/** All lettering of one kind that is visible after some seconds. */
export type LetteredAt = (seconds: number) => readonly Lettered[];

export const paintLettered = (frame: Frame, lettered: readonly Lettered[]): void => {
  for (const { sprite, place } of lettered) paintSprite(frame, sprite, place);
};

/** The smallest upright box around the lettering. */
export const boxOfLettered = ({ sprite, place }: Lettered): Box => {
  const { x, y, scale = 1, stretch = 1, radians = 0 } = place;
  const [cos, sin] = [Math.abs(Math.cos(radians)), Math.abs(Math.sin(radians))];
  const [across, down] = [sprite.width * Math.abs(scale * stretch), sprite.height * Math.abs(scale)];
  const [width, height] = [across * cos + down * sin, across * sin + down * cos];
  return { left: x - width / 2, top: y - height / 2, width, height };
};
