/** Parses the offline engine's job reports. */
import * as z from 'zod';
import { filmTypes, inputLimits, typeNames } from '../../contracts/media.ts';
import type { EngineFailure, EngineOutcome, EngineProgress } from '../engine.ts';

const EngineClip = z.object({
  title: z.string().max(500).exactOptional(),
  hook: z.string().max(500).exactOptional(),
  score: z.number().min(0).max(1).exactOptional(),
  startTime: z.number().nonnegative().exactOptional(),
  endTime: z.number().nonnegative().exactOptional(),
});

const EngineOutput = z.object({
  url: z.url(),
  contentType: z.string().min(1),
  width: z.int().positive().exactOptional(),
  height: z.int().positive().exactOptional(),
  durationSec: z.number().nonnegative().exactOptional(),
  posterUrl: z.url().exactOptional(),
  clip: EngineClip.exactOptional(),
});

/** Messages about inputs that only the engine checks, because it downloads them itself. */
const complaints = {
  unreachable: 'could not be downloaded',
  'too-large': `has too many bytes or a side of over ${inputLimits.video.maxSidePixels} pixels: make it smaller`,
  'too-long': 'is longer than the duration that was charged for',
  'too-short': 'is too short',
  'no-subject': 'shows no subject that stands out from its background',
  'empty-mask': 'has no white part, so there is nothing to edit',
} as const;

const InputProblem = z.object({
  field: z.enum(['imageUrl', 'maskUrl', 'videoUrl']),
  reason: z.enum(['unreadable', ...(Object.keys(complaints) as (keyof typeof complaints)[])]),
});

const EngineError = z.object({ code: z.string(), problem: InputProblem.optional().catch(undefined) });
type EngineError = z.output<typeof EngineError>;

const progress = z.number().min(0).max(100);
const reference = z.string().min(1);

const EngineJobReport = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['queued', 'running']), reference, progress }),
  z.object({ status: z.literal('done'), reference, outputs: z.array(EngineOutput).min(1).max(100) }),
  z.object({ status: z.literal('failed'), reference, error: EngineError }),
  z.object({ status: z.literal('canceled'), reference }),
]);

type EngineJobReport = z.output<typeof EngineJobReport>;

const EngineRejection = z.object({ error: EngineError });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const failures: readonly EngineFailure[] = [
  'PROVIDER_ERROR',
  'PROVIDER_TIMEOUT',
  'CONTENT_REJECTED',
  'DOWNLOAD_FAILED',
  'INPUT_INVALID',
];

type InputProblem = z.output<typeof InputProblem>;

function complaintOf({ field, reason }: InputProblem): string {
  const types = field === 'videoUrl' ? filmTypes : inputLimits.image.types;
  return `${field} ${reason === 'unreadable' ? `is not a readable ${typeNames(types)} file` : complaints[reason]}`;
}

/** The outcome of a failed job; the provider is to blame for an unknown code. */
export const failed = ({ code, problem }: EngineError): EngineOutcome => ({
  status: 'failed',
  code: failures.find((failure) => failure === code) ?? 'PROVIDER_ERROR',
  ...(problem && { detail: complaintOf(problem) }),
});

/** The error of a rejection; a response without one is the provider's fault. */
export const parseRejection = (body: string): EngineError =>
  EngineRejection.safeParse(parseJson(body)).data?.error ?? { code: 'PROVIDER_ERROR' };

/** Parses a report; undefined if it does not follow the protocol. */
export const parseJobReport = (body: string): EngineJobReport | undefined =>
  EngineJobReport.safeParse(parseJson(body)).data;

export const stateOf = (job: EngineJobReport): EngineProgress | EngineOutcome => {
  if (job.status === 'done') return { status: 'done', outputs: job.outputs };
  if (job.status === 'failed') return failed(job.error);
  if (job.status === 'canceled') return failed({ code: 'PROVIDER_ERROR' });
  return { status: job.status, progress: Math.min(99, Math.floor(job.progress)) };
};
