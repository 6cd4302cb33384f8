/** Each way to cut clips: the engine jobs that it consists of, step by step. */
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

/** A file at a URL that anyone can read. */
interface Readable {
  readonly videoUrl: string;
}

/** The whole video in the inputs bucket, for engines that read it there. */
interface Stored {
  readonly sourceKey: string;
}

interface Clip {
  readonly span: TimeSpan;
  readonly source: ClipSource;
  /** The frame size in pixels. */
  readonly size: VideoFrame;
  /** The key, without an extension, of the clip that an engine writes to the inputs bucket. */
  readonly outputKey: string;
  /** Captions in SubRip in the inputs bucket, with the times of the whole video; absent if the clip has none. */
  readonly captions?: { readonly key: string; readonly language?: string };
}

export interface ClipWay {
  readonly transcription: Transcription;
  /** The engine that cuts, crops and makes posters. */
  readonly engine: EngineName;
  /** Whether that engine reads the whole video from the inputs bucket, so that it needs no URL. */
  readonly readsBucket?: true;
  /** Whether the job that cuts also burns captions into the clip. */
  readonly hasCaptions?: true;
  /** The job that cuts a clip from the whole video. */
  cut(video: Readable & Stored & Clip): ModelJob;
  /** The job that crops the cut clip; absent if the cutting job crops it. */
  crop?(video: Readable & Clip): ModelJob;
  /** The job that extracts an image of the clip; absent if the cutting job extracts it. */
  poster?(video: Readable): ModelJob;
}

/** With AWS, one job creates a clip with its captions and image. */
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
