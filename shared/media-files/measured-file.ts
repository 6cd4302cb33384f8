/** What is measured of an audio or video file. */
import type { FaultKind } from './media-fault.ts';

export interface MeasuredFile {
  /** Such as `video/mp4`, `video/quicktime`, `video/webm`, `video/x-matroska`; `audio/…` without a picture; `audio/flac`. */
  readonly contentType: string;
  /** The name to display: `WebM`. */
  readonly name: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** As long as the longer of sound and picture. */
  readonly durationSec: number;
  /** When the last frame ends, whatever the sound does. */
  readonly videoSec?: number;
  /** The average of all frames. */
  readonly framesPerSecond?: number;
  /** Pixels, as displayed. */
  readonly width?: number;
  readonly height?: number;
}

export interface Unmeasurable {
  readonly fault: FaultKind;
  /** Continues a sentence that begins with the field. */
  readonly reason: string;
}

export const isMeasured = (found: MeasuredFile | Unmeasurable): found is MeasuredFile => !('fault' in found);
