/** The port to video sites: what a site says about the video that a link leads to. */
import type { VideoPlatform } from '../contracts/media.ts';

/** A video, identified by its site's own id. */
export interface LinkedVideo {
  readonly platform: VideoPlatform;
  readonly id: string;
}

export type ResolvedVideo =
  | { readonly status: 'found'; readonly durationSec: number }
  /** The video is private or deleted, or the id does not exist. */
  | { readonly status: 'missing' }
  /** A live stream that has not ended or not begun, so its duration is unknown. */
  | { readonly status: 'live' }
  /** This service cannot look up videos of that site. */
  | { readonly status: 'unsupported' }
  /** The site answers no more requests of this service today; `problem` is for the log. */
  | { readonly status: 'exhausted'; readonly problem: string }
  /** The lookup failed; `problem` is for the log and contains no secret. */
  | { readonly status: 'failed'; readonly problem: string };

export interface VideoResolver {
  /** Whether this service can look up videos of a site. */
  supports(platform: VideoPlatform): boolean;
  /** Looks up a video. The time limit includes reading the API key. */
  resolve(video: LinkedVideo, timeLimitMs: number): Promise<ResolvedVideo>;
}
