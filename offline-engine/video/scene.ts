/** Scenes: layers of sprites, each with its place at every time, painted in order. */
import { framesPerSecond } from './encode-video.ts';
import type { Frame } from './frame.ts';
import { type Place, paintSprite, type Sprite } from './sprite.ts';

export interface Placed {
  readonly sprite: Sprite;
  readonly place: Place;
}

/** What a layer shows after some seconds. */
export type Layer = (seconds: number) => readonly Placed[];

export const still = (sprite: Sprite, place: Place): Layer => {
  const placed = [{ sprite, place }];
  return () => placed;
};

/** Paints the frame with this index over the previous one. */
export type Painter = (frame: Frame, index: number) => void;

export const painterOf =
  (layers: readonly Layer[]): Painter =>
  (frame, index) => {
    const seconds = index / framesPerSecond;
    for (const layer of layers) {
      for (const { sprite, place } of layer(seconds)) paintSprite(frame, sprite, place);
    }
  };
