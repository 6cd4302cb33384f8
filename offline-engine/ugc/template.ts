/** What makes a template of a user-generated video: how it is filmed, and what is seen over it. */
import type { Sharp } from 'sharp';
import type { CaptionStyle } from '../video/captions.ts';
import type { Film } from '../video/film.ts';
import type { Frame, FrameSize } from '../video/frame.ts';
import type { View } from '../video/still.ts';

export interface Moment {
  readonly seconds: number;
  /** How much of the video is over, from 0 to 1. */
  readonly share: number;
  /** How loud the speech is, from 0 to 1. */
  readonly loudness: number;
}

/** Paints over the frame at a moment. */
export type Overlay = (frame: Frame, moment: Moment) => void;

export interface Template {
  /** The colors and the sharpness. */
  readonly look: (pipeline: Sharp) => Sharp;
  readonly film: Film;
  readonly camera: (moment: Moment) => View;
  /** How long the last image takes to appear over the first, in the middle of the video; 0 is a cut. */
  readonly dissolveSeconds: number;
  readonly captions: CaptionStyle;
  readonly overlays: (size: FrameSize, seconds: number) => Promise<readonly Overlay[]>;
  /** How often the image changes; by default with every frame. */
  readonly imagesPerSecond?: number;
  /** Speech sounds as through a small loudspeaker. */
  readonly soundsThin?: true;
  /** Speech is whispered unless the request says otherwise. */
  readonly isWhispered?: true;
}
