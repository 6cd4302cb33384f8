/** Defines a template of user-generated videos: how it is filmed, and its overlays. */
import type { Sharp } from 'sharp';
import type { CaptionStyle } from '../video/captions.ts';
import type { Film } from '../video/film.ts';
import type { Frame, FrameSize } from '../video/frame.ts';
import type { View } from '../video/still.ts';

export interface Moment {
  readonly seconds: number;
  /** How much of the video has passed, from 0 to 1. */
  readonly share: number;
  /** The loudness of the speech, from 0 to 1. */
  readonly loudness: number;
}

/** Paints over the frame at a moment. */
export type Overlay = (frame: Frame, moment: Moment) => void;

export interface Template {
  /** Changes colors and sharpness. */
  readonly look: (pipeline: Sharp) => Sharp;
  readonly film: Film;
  readonly camera: (moment: Moment) => View;
  /** How long the last image takes to replace the first, in the middle of the video; 0 is a cut. */
  readonly dissolveSeconds: number;
  readonly captions: CaptionStyle;
  readonly overlays: (size: FrameSize, seconds: number) => Promise<readonly Overlay[]>;
  /** How often the image changes; by default, with every frame. */
  readonly imagesPerSecond?: number;
  /** Whether speech sounds as if from a small loudspeaker. */
  readonly soundsThin?: true;
  /** Whether speech is whispered unless the request says otherwise. */
  readonly isWhispered?: true;
}
