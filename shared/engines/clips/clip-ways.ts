/** What the engines of the ways of cutting clips are asked for, one job after the other. */
import type { ClipSource } from '../../contracts/cut-clips.ts';
import { frameRateOf, type TimeSpan } from '../../contracts/frame-time.ts';
import type { VideoFrame } from '../../contracts/video-frame.ts';
import type { EngineJob } from '../engine.ts';
import type { EngineName } from '../engine-names.ts';
import { cropAtFal, cutAtFal, posterAtFal } from '../fal/fal-clip-jobs.ts';
import type { Transcript } from '../transcript.ts';
import { transcriptions } from '../transcriptions.ts';
import type { clipsRoutes } from './clips-routes.ts';

type ModelJob = Pick<EngineJob, 'model' | 'input'>;

/** A file that is readable by anybody who has its URL. */
interface Readable {
  readonly videoUrl: string;
}

interface Clip {
  readonly span: TimeSpan;
  readonly source: ClipSource;
  /** In pixels. */
  readonly size: VideoFrame;
}

export interface ClipWay {
  readonly engine: EngineName;
  transcribe(video: Readable): ModelJob;
  /** From the JSON that its transcription results in; undefined if it does not have the documented form. */
  readTranscript(document: unknown): Transcript | undefined;
  /** Of the whole video. */
  cut(video: Readable & Clip): ModelJob;
  /** Of the part that was cut; absent if cutting includes it. */
  crop?(video: Readable & Clip): ModelJob;
  /** Of the clip; absent if cutting includes it. */
  poster?(video: Readable): ModelJob;
}

const ways: Readonly<Record<keyof typeof clipsRoutes, ClipWay>> = {
  'clips/fal': {
    engine: 'fal',
    transcribe: ({ videoUrl }) => transcriptions.fal.job({ url: videoUrl }),
    readTranscript: transcriptions.fal.read,
    cut: ({ videoUrl, span, source }) => cutAtFal({ videoUrl, span, frameRate: frameRateOf(source.framesPerSecond) }),
    crop: cropAtFal,
    poster: posterAtFal,
  },
};

export function clipWayOf(route: string): ClipWay {
  const way: ClipWay | undefined = (ways as Readonly<Record<string, ClipWay>>)[route];
  if (!way) throw new Error(`the route ${route} is no way of cutting clips`);
  return way;
}
