/** What the engines of the ways of cutting clips are asked for, one job after the other. */
import type { ClipSource } from '../../contracts/cut-clips.ts';
import { frameRateOf, type TimeSpan } from '../../contracts/frame-time.ts';
import type { VideoFrame } from '../../contracts/video-frame.ts';
import { clipAtAws } from '../aws/clip-order.ts';
import type { EngineJob } from '../engine.ts';
import type { EngineName } from '../engine-names.ts';
import { cropAtFal, cutAtFal, posterAtFal } from '../fal/fal-clip-jobs.ts';
import { type Transcription, transcriptions } from '../transcriptions.ts';
import type { clipsRoutes } from './clips-routes.ts';

type ModelJob = Pick<EngineJob, 'model' | 'input'>;

/** A file that is readable by anybody who has its URL. */
interface Readable {
  readonly videoUrl: string;
}

/** The whole video in the bucket of inputs, for engines that read it there. */
interface Stored {
  readonly sourceKey: string;
}

interface Clip {
  readonly span: TimeSpan;
  readonly source: ClipSource;
  /** In pixels. */
  readonly size: VideoFrame;
  /** Where an engine that works in the bucket of inputs puts the clip: without an extension. */
  readonly outputKey: string;
  /** SubRip in the bucket of inputs, with the times of the whole video; absent if the clip has none. */
  readonly captions?: { readonly key: string; readonly language?: string };
}

export interface ClipWay {
  readonly transcription: Transcription;
  /** Cuts, crops and makes posters. */
  readonly engine: EngineName;
  /** Whether that engine reads the whole video in the bucket of inputs, and needs no URL of it. */
  readonly readsBucket?: true;
  /** Whether cutting burns captions in. */
  readonly hasCaptions?: true;
  /** Of the whole video. */
  cut(video: Readable & Stored & Clip): ModelJob;
  /** Of the part that was cut; absent if cutting includes it. */
  crop?(video: Readable & Clip): ModelJob;
  /** Of the clip; absent if cutting includes it. */
  poster?(video: Readable): ModelJob;
}

/** One job makes a clip with all that belongs to it. */
const cuttingAtAws: Omit<ClipWay, 'transcription'> = {
  engine: 'aws',
  readsBucket: true,
  hasCaptions: true,
  cut: ({ sourceKey, outputKey, span, source, size, captions }) =>
    clipAtAws({
      sourceKey,
      outputKey,
      span,
      size,
      hasSound: source.hasSound,
      ...(captions && { captions }),
      frameRate: frameRateOf(source.framesPerSecond),
    }),
};

const ways: Readonly<Record<keyof typeof clipsRoutes, ClipWay>> = {
  'clips/fal': {
    transcription: transcriptions.fal,
    engine: 'fal',
    cut: ({ videoUrl, span, source }) => cutAtFal({ videoUrl, span, frameRate: frameRateOf(source.framesPerSecond) }),
    crop: cropAtFal,
    poster: posterAtFal,
  },
  'clips/aws-scribe': { ...cuttingAtAws, transcription: transcriptions.elevenlabs },
  'clips/aws': { ...cuttingAtAws, transcription: transcriptions.aws },
};

export function clipWayOf(route: string): ClipWay {
  const way: ClipWay | undefined = (ways as Readonly<Record<string, ClipWay>>)[route];
  if (!way) throw new Error(`the route ${route} is no way of cutting clips`);
  return way;
}
