/** The measurements of an audio or video file. */
import type { FaultKind } from './media-fault.ts';

export interface MeasuredFile {
  /**
   * The media type, such as `video/mp4`, `video/quicktime`, `video/webm`, `video/x-matroska` or `audio/flac`; `audio/…`
   * if there is no video track.
   */
  readonly contentType: string;
  /** The name to display, such as `WebM`. */
  readonly name: string;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** The duration of the audio or of the video track, whichever is longer. */
  readonly durationSec: number;
  /** When the last frame ends, regardless of the audio. */
  readonly videoSec?: number;
  /** Like `videoSec`, without the beginning that an edit hides; only some decoders hide it. */
  readonly shownSec?: number;
  /** The frame rate, as an average over all frames. */
  readonly framesPerSecond?: number;
  /** The size of the video in pixels, as displayed. */
  readonly width?: number;
  readonly height?: number;
}

export interface Unmeasurable {
  readonly fault: FaultKind;
  /** The reason, worded to follow a field's name. */
  readonly reason: string;
  /** The name of an error that no reader should throw, if there was one. */
  readonly error?: string;
}

export const isMeasured = (found: MeasuredFile | Unmeasurable): found is MeasuredFile => !('fault' in found);
