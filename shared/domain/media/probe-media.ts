/** Audio and video behind inputs: type, duration and dimensions, found out without downloading more than needed. */
import { type InputLimits, inputLimits, type MediaType, typeNames } from '../../contracts/media.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { openRangedFile, RangeBudgetExceeded } from '../../platform/ranged-file.ts';
import { type ContainerFacts, readContainer } from '../../platform/read-container.ts';
import { OutboundFailed, OutboundRejected } from '../../platform/safe-fetch.ts';
import {
  invalid,
  type MediaProblem,
  outOfLimits,
  problemOfFailure,
  unreachable,
  unsupported,
} from './media-problem.ts';

export interface MediaFacts {
  readonly contentType: MediaType;
  /** To a tenth of a second. */
  readonly durationSec: number;
  readonly width?: number;
  readonly height?: number;
}

interface ProbeOptions {
  readonly kind: 'audio' | 'video';
  readonly limits?: InputLimits;
  /** For all requests together. */
  readonly timeoutMs: number;
}

/** The index of a video of hours has a few megabytes. */
const maxReadBytes = 32 * 2 ** 20;

const lengthProblem = ({ minSeconds, maxSeconds }: InputLimits): MediaProblem => {
  if (minSeconds === undefined) return outOfLimits(`must be at most ${maxSeconds} seconds long`);
  if (maxSeconds === undefined) return outOfLimits(`must be at least ${minSeconds} seconds long`);
  return outOfLimits(`must be ${minSeconds} to ${maxSeconds} seconds long`);
};

function checked(facts: ContainerFacts, kind: 'audio' | 'video', limits: InputLimits): MediaFacts | MediaProblem {
  const { contentType: found, name, hasVideo, hasAudio, ...measured } = facts;
  const contentType = limits.types.find((type) => type === found);
  if (kind === 'audio' && !hasAudio) return invalid('contains no audio');
  if (kind === 'video' && !hasVideo) return invalid('contains no video');
  if (!contentType) return unsupported(name);
  const durationSec = Math.round(measured.durationSec * 10) / 10;
  const { minSeconds = 0, maxSeconds = Number.POSITIVE_INFINITY } = limits;
  if (durationSec < minSeconds || durationSec > maxSeconds) return lengthProblem(limits);
  return { ...measured, contentType, durationSec };
}

/** Probes the file at a URL; servers with and without ranges will do, wherever the file has its index. */
export async function probeMedia(
  { open }: Pick<Outbound, 'open'>,
  url: string,
  { kind, limits = inputLimits[kind], timeoutMs }: ProbeOptions,
): Promise<MediaFacts | MediaProblem> {
  const unreadable = invalid(`is not a readable ${typeNames(limits.types)} file`);
  try {
    const file = await openRangedFile(open, url, { timeoutMs, maxReadBytes, maxFileBytes: limits.maxBytes });
    if (file.access === 'none') {
      // An empty file has no range.
      return file.status === 416 ? unreadable : unreachable(`the server responded with status ${file.status}`);
    }
    const facts = await readContainer(file);
    return facts ? checked(facts, kind, limits) : unreadable;
  } catch (error) {
    if (error instanceof RangeBudgetExceeded) return unreadable;
    if (error instanceof OutboundFailed || error instanceof OutboundRejected) return problemOfFailure(error, limits);
    // The reader throws whatever it stumbles over in a broken file.
    return unreadable;
  }
}
