/**
 * The fal.ai jobs for a clip: cut, crop, then extract an image (fal.ai/models, 2026-11). Assumed, because it is
 * undocumented: that cutting re-encodes and is exact to the frame, and that videos may be as large as the service
 * allows.
 */

import { type FrameRate, framesOf, type TimeSpan, timesAround } from '../../contracts/frame-time.ts';
import type { VideoFrame } from '../../contracts/video-frame.ts';
import type { EngineJob } from '../engine.ts';

type ModelJob = Required<Pick<EngineJob, 'model'>> & Pick<EngineJob, 'input'>;

interface Source {
  /** A URL that anyone can read. */
  readonly videoUrl: string;
}

interface Cut extends Source {
  readonly span: TimeSpan;
  readonly frameRate: FrameRate;
}

/** The job that cuts a span of the video and keeps its frame size. */
export function cutAtFal({ videoUrl, span, frameRate }: Cut): ModelJob {
  const { startSec, endSec } = timesAround(framesOf(span, frameRate), frameRate);
  return {
    model: 'fal-ai/workflow-utilities/trim-video',
    input: { video_url: videoUrl, start_time: startSec, end_time: endSec },
  };
}

/** The job that crops a video to the center of its frame, at this size. */
export const cropAtFal = ({ videoUrl, size }: Source & { readonly size: VideoFrame }): ModelJob => ({
  model: 'fal-ai/workflow-utilities/scale-video',
  input: { video_url: videoUrl, width: size.width, height: size.height, mode: 'crop', codec: 'libx264', crf: 20 },
});

/** The job that extracts a JPEG of a middle frame, because the first one may be black. */
export const posterAtFal = ({ videoUrl }: Source): ModelJob => ({
  model: 'fal-ai/ffmpeg-api/extract-frame',
  input: { video_url: videoUrl, frame_type: 'middle' },
});
