/** Parses Vizard's responses: a code and, for a completed project, its clips. */
import * as z from 'zod';
import { minClipsOf } from '../../contracts/generate-cortes.ts';
import { clipTitle } from '../clip-title.ts';
import type { EngineFailure, EngineOutcome, EngineOutput } from '../engine.ts';
import type { ApiResponse } from '../provider-api.ts';
import { tooFewClips } from '../too-few-clips.ts';

const text = z.string().nullish().catch(undefined);

const Video = z.object({
  videoUrl: z.url({ protocol: /^https?$/ }).max(2000),
  videoMsDuration: z.number().positive().nullish().catch(undefined),
  title: text,
  /** A clip's score from 0 to 10, which may be a number as text, such as `8.5`. */
  viralScore: z
    .union([z.number(), z.string().regex(/^\d{1,2}(\.\d+)?$/)])
    .transform(Number)
    .pipe(z.number().min(0).max(10))
    .nullish()
    .catch(undefined),
});

const VizardReply = z.object({
  code: z.int(),
  projectId: z
    .union([z.int().positive(), z.string().regex(/^\d{1,20}$/)])
    .transform(String)
    .nullish()
    .catch(undefined),
  videos: z.array(z.unknown()).max(1000).nullish().catch(undefined),
});
export type VizardReply = z.output<typeof VizardReply>;

export const codes = { working: 1000, done: 2000 } as const;

/** Parses a response; undefined if it has no code. */
export const replyIn = ({ body }: ApiResponse): VizardReply | undefined => VizardReply.safeParse(body).data;

type Verdict = EngineOutcome | 'busy' | 'temporary';

const failed = (code: EngineFailure, detail?: string): EngineOutcome => ({
  status: 'failed',
  code,
  ...(detail !== undefined && { detail }),
});

/** Documented error codes; any other is the provider's fault. */
const verdicts: Readonly<Record<number, Verdict>> = {
  // Vizard rejected the key.
  4001: 'temporary',
  // Vizard's rate limit of submissions: 3 per minute and 20 per hour.
  4003: 'busy',
  4004: failed('INPUT_INVALID', 'videoUrl has a format that is not supported'),
  4005: failed('INPUT_INVALID', 'videoUrl is damaged'),
  // The Vizard plan has no minutes left.
  4007: 'temporary',
  4008: failed('DOWNLOAD_FAILED', 'videoUrl could not be downloaded'),
  4009: failed('DOWNLOAD_FAILED', 'videoUrl could not be downloaded'),
  4010: failed('INPUT_INVALID', 'videoUrl has no speech in a language that is recognized'),
};

export const verdictOn = ({ code }: Pick<VizardReply, 'code'>): Verdict => verdicts[code] ?? failed('PROVIDER_ERROR');

function outputOf({ videoUrl, videoMsDuration, title: given, viralScore }: z.output<typeof Video>): EngineOutput {
  const title = clipTitle(given);
  return {
    url: videoUrl,
    contentType: 'video/mp4',
    ...(typeof videoMsDuration === 'number' && { durationSec: videoMsDuration / 1000 }),
    clip: { ...(title && { title }), ...(typeof viralScore === 'number' && { score: viralScore / 10 }) },
  };
}

const scoreOf = ({ clip }: EngineOutput): number => clip?.score ?? -1;

/**
 * The outcome of a project: as many clips as were paid for, best first. If Vizard found too few, the job fails because of
 * the video, although Vizard has used its minutes.
 */
export function outcomeOf({ videos }: VizardReply, count: number): EngineOutcome {
  if (videos && videos.length < minClipsOf(count)) return tooFewClips(count);
  const usable = (videos ?? []).flatMap((video) => Video.safeParse(video).data ?? []);
  if (usable.length < minClipsOf(count)) return failed('PROVIDER_ERROR');
  const ranked = usable.map(outputOf).toSorted((one, other) => scoreOf(other) - scoreOf(one));
  return { status: 'done', outputs: ranked.slice(0, count) };
}
