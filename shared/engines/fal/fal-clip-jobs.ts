/**
 * The jobs at fal.ai that make a clip, one after the other: cut it, crop it, take an image of it (fal.ai/models, 2026-11).
 * Undocumented, and assumed: that cutting re-encodes and is exact to the frame, and how large a video may be.
 */

import { type FrameRate, framesOf, type TimeSpan, timesAround } from '../../contracts/frame-time.ts';
import type { VideoFrame } from '../../contracts/video-frame.ts';
import type { EngineJob } from '../engine.ts';

type ModelJob = Required<Pick<EngineJob, 'model'>> & Pick<EngineJob, 'input'>;

interface Source {
  /** Readable by anybody who has it. */
  readonly videoUrl: string;
}

interface Cut extends Source {
  readonly span: TimeSpan;
  readonly frameRate: FrameRate;
}

/** Results in the part of the video with its frames as they are. */
export function cutAtFal({ videoUrl, span, frameRate }: Cut): ModelJob {
  const { startSec, endSec } = timesAround(framesOf(span, frameRate), frameRate);
  return {
    model: 'fal-ai/workflow-utilities/trim-video',
    input: { video_url: videoUrl, start_time: startSec, end_time: endSec },
  };
}

/** Results in the middle of the frame, at this size. */
export const cropAtFal = ({ videoUrl, size }: Source & { readonly size: VideoFrame }): ModelJob => ({
  model: 'fal-ai/workflow-utilities/scale-video',
  input: { video_url: videoUrl, width: size.width, height: size.height, mode: 'crop', codec: 'libx264', crf: 20 },
});

/** Results in a JPEG; the first frame may be black. */
export const posterAtFal = ({ videoUrl }: Source): ModelJob => ({
  model: 'fal-ai/ffmpeg-api/extract-frame',
  input: { video_url: videoUrl, frame_type: 'middle' },
});
