/** What the state machine `cut-clips` passes to its functions. */
import * as z from 'zod';
import { id } from './fields.ts';
import { once } from './once.ts';
import { CaughtError } from './workflow.ts';

/** The longest transcript, in words: three times as many as three hours of fast speech have. */
export const maxTranscriptWords = 300_000;

/** The version of the video when it is copied by byte ranges; null when it is copied as a whole. */
const Version = once(() => z.object({ size: z.int().positive(), etag: z.string() }).nullable());

const CopyRange = once(() => z.object({ first: z.int().positive(), start: z.int().min(0), end: z.int().min(0) }));

const CopiedParts = once(() =>
  z.object({ parts: z.array(z.object({ number: z.int().positive(), etag: z.string() })) }),
);

/** The copied video, as measured. */
const ClipSource = once(() =>
  z.object({
    bytes: z.int().positive(),
    durationSec: z.number().positive(),
    width: z.int().positive(),
    height: z.int().positive(),
    framesPerSecond: z.number().positive(),
    hasSound: z.boolean(),
  }),
);
export type ClipSource = Readonly<z.output<ReturnType<typeof ClipSource>>>;

export const PlanCopyInput = once(() => z.object({ taskId: id() }));

/** The range is called `stretch`, as in the definitions of executions that began before a deployment. */
export const CopyPartInput = once(() =>
  z.object({ taskId: id(), uploadId: z.string(), version: Version(), stretch: CopyRange() }),
);

export const CompleteCopyInput = once(() =>
  z.object({ taskId: id(), uploadId: z.string(), copies: z.union([z.array(CopiedParts()), CaughtError()]) }),
);

/** What engines do for each clip, in this order. */
const clipWorks = ['cut', 'crop', 'poster'] as const;

export const AskClipEngineInput = once(() =>
  z.discriminatedUnion('work', [
    z.object({ taskId: id(), token: z.string().min(1), source: ClipSource(), work: z.literal('transcribe') }),
    z.object({
      taskId: id(),
      token: z.string().min(1),
      source: ClipSource(),
      work: z.enum(clipWorks),
      /** The clip's number in the order of the results, from 1. */
      clip: z.int().positive(),
    }),
  ]),
);

export const RankClipsInput = once(() => z.object({ taskId: id(), source: ClipSource() }));

export const ReportClipsInput = once(() => z.object({ taskId: id(), error: CaughtError().exactOptional() }));
