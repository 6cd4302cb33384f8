/** Probes audio and video inputs: reads type, duration and dimensions without downloading more than needed. */
import type { InputLimits, MediaType } from '../../contracts/media.ts';
import { isMeasured, type MeasuredFile, type Unmeasurable } from '../../media-files/measured-file.ts';
import { slow } from '../../media-files/media-fault.ts';
import { type MeasuringHost, measureFile, measureHere, type StartMeasuring } from '../../media-files/read-media.ts';
import { steadyMs } from '../../platform/clock.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { openRangedFile } from '../../platform/ranged-file.ts';
import { OutboundFailed, type OutboundStream } from '../../platform/safe-fetch.ts';
import { type FileFacts, fileProblem } from './file-limits.ts';
import {
  contradictory,
  invalid,
  type MediaProblem,
  problemOfFailure,
  truncated,
  unreachable,
  unreadable,
  unsupported,
} from './media-problem.ts';

export type MediaFacts = FileFacts & Required<Pick<FileFacts, 'contentType' | 'durationSec'>>;

export interface Expected {
  readonly kind: 'audio' | 'video';
  /** Whether a video's duration is that of its picture, or the longer of picture and audio. */
  readonly counts?: 'picture' | 'longest';
  readonly limits: InputLimits;
  readonly measuring?: MeasuringHost | undefined;
}

interface ProbeOptions extends Expected {
  /** The time limit of all requests together. */
  readonly timeoutMs: number;
  /** Whether the service copies the file, and measures the copy, before an engine gets it. */
  readonly isReadAgain?: boolean;
  /** Whether to examine as much of the file as is examined of a copy, because an engine gets the file itself. */
  readonly isThorough?: boolean;
}

/**
 * The limits of reads: enough bytes for the index of an hours-long video, which has a few megabytes, and enough reads for
 * a fragmented video, in which each fragment needs one.
 */
const readLimits = { maxBytes: 32 * 2 ** 20, maxReads: 400 };
/** A Matroska with many small clusters is read completely, a megabyte at a time. */
export const thoroughReadLimits = { maxBytes: 2 ** 30, maxReads: 3000 };

/** Whether a field accepts the container, whatever its tracks. */
const isContainerOf = (found: string, types: readonly MediaType[]): boolean =>
  types.some((type) => type.split('/')[1] === found.split('/')[1]);

/** A beginning that is hidden for a shorter time than this is no edit, but the delay of reordered frames. */
const hiddenSec = 0.5;

/** Extracts the facts from a measured file, or explains why it cannot be used. */
export function factsOf(file: MeasuredFile, { kind, counts, limits }: Expected): MediaFacts | MediaProblem {
  const { contentType: found, name, hasVideo, hasAudio, durationSec: longestSec, videoSec, width, height } = file;
  const contentType = limits.types.find((type) => type === found);
  if (!isContainerOf(found, limits.types)) return unsupported(name, limits.types);
  if (kind === 'audio' && !hasAudio) return invalid('contains no audio');
  if (kind === 'video' && !hasVideo) return invalid('contains no video');
  if (!contentType) return unsupported(name, limits.types);
  const seconds = kind === 'video' && counts !== 'longest' ? (videoSec ?? 0) : longestSec;
  if (!(seconds > 0 && Number.isFinite(seconds))) return invalid('has no duration');
  // A duration counts as at least a tenth of a second, so that no recording is free.
  const durationSec = Math.max(0.1, Math.round(seconds * 10) / 10);
  const size = width !== undefined && height !== undefined ? { width, height } : {};
  const { shownSec = durationSec } = file;
  const isHidden = kind === 'video' && shownSec < durationSec - hiddenSec && shownSec > 0;
  const rounded = { ...size, contentType, durationSec, ...(isHidden && { shownSec }) };
  return fileProblem(rounded, limits) ?? rounded;
}

const busy = (reason: string): MediaProblem => ({ problem: 'unreachable', reason, isBusy: true });

/** The problem with a file that cannot be measured. */
export function problemOfFault({ fault, reason }: Unmeasurable, { types }: InputLimits): MediaProblem {
  if (fault === 'unreadable') return unreadable(types);
  if (fault === 'truncated') return truncated;
  // The machine was too busy, or another file ended the thread: the same file may be measured next time.
  if (fault === 'slow' || fault === 'interrupted') return busy(reason);
  if (fault === 'contradictory') return contradictory(reason);
  return fault === 'scattered' ? { problem: 'scattered', reason } : invalid(reason);
}

const probed = (found: MeasuredFile | Unmeasurable, expected: Expected): MediaFacts | MediaProblem =>
  isMeasured(found) ? factsOf(found, expected) : problemOfFault(found, expected.limits);

/** Sums the time in which steps of measuring wait for the machine and run. */
function timed(host: MeasuringHost = {}) {
  const { start = measureHere } = host;
  let ms = 0;
  const startTimed: StartMeasuring = (shape) => {
    const steps = start(shape);
    return {
      async next(bytes) {
        const beganAt = steadyMs();
        try {
          return await steps.next(bytes);
        } finally {
          ms += steadyMs() - beganAt;
        }
      },
      close: () => steps.close(),
    };
  };
  return { host: { ...host, start: startTimed }, ms: () => ms };
}

/** Probes the file at a URL, whether or not its server supports ranges, and wherever the file has its index. */
export async function probeMedia(
  { open }: Pick<Outbound, 'open'>,
  url: string,
  { timeoutMs, isReadAgain = false, isThorough = false, ...expected }: ProbeOptions,
): Promise<MediaFacts | MediaProblem> {
  const { limits } = expected;
  const { host, ms: measuringMs } = timed(expected.measuring);
  try {
    const reading = isThorough ? thoroughReadLimits : readLimits;
    const file = await openRangedFile(open, url, {
      timeoutMs,
      maxFileBytes: limits.maxBytes,
    });
    if (file.access === 'none') {
      // An empty file has no valid range, so its server responds with 416.
      const { status } = file;
      return status === 416 ? unreadable(limits.types) : unreachable(`the server responded with status ${status}`);
    }
    const reads = {
      ...host,
      limits: reading,
      maxSeconds: limits.maxSeconds,
      isGlance: !isThorough,
      isReadAgain,
      isThorough,
    };
    return probed(await measureFile(file, reads), expected);
  } catch (error) {
    const isTimeout = error instanceof OutboundFailed && error.reason === 'timeout';
    // The server of the file is not to blame if most of the time went by without it.
    if (isTimeout && measuringMs() > timeoutMs / 2) return busy(slow().message);
    return problemOfFailure(error, limits);
  }
}

/** Probes a file while it is read from start to end for another purpose. */
export async function probeStream(
  { headers, body }: Pick<OutboundStream, 'body' | 'headers'>,
  expected: Expected,
): Promise<MediaFacts | MediaProblem> {
  const announced = headers['content-length'];
  const size = announced === undefined ? {} : { size: Number(announced) };
  const file = { access: 'stream', ...size, body, close: () => undefined } as const;
  return probed(await measureFile(file, { ...expected.measuring }), expected);
}
