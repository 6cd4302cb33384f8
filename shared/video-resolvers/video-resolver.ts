/** The port to the platforms of videos: what a platform says about the video that a link leads to. */
import type { VideoPlatform } from '../contracts/media.ts';

/** A video by its platform's own id. */
export interface LinkedVideo {
  readonly platform: VideoPlatform;
  readonly id: string;
}

export type ResolvedVideo =
  | { readonly status: 'found'; readonly durationSec: number }
  /** The platform shows it to nobody: private, deleted, or no such id. */
  | { readonly status: 'missing' }
  /** A broadcast that has not ended, or not begun: its duration is not known yet. */
  | { readonly status: 'live' }
  /** This service has no source for the videos of that platform. */
  | { readonly status: 'unsupported' }
  /** The platform did not say; `problem` is for the log and contains nothing secret. */
  | { readonly status: 'failed'; readonly problem: string };

export interface VideoResolver {
  /** The key is read within the time limit too. */
  resolve(video: LinkedVideo, timeLimitMs: number): Promise<ResolvedVideo>;
}
