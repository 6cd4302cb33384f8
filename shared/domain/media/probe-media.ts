/** Audio and video inputs: type, duration and dimensions, read without downloading more than needed. */
import type { InputLimits } from '../../contracts/media.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { openRangedFile, type RangedFile } from '../../platform/ranged-file.ts';
import { type ContainerFacts, readContainer } from '../../platform/read-container.ts';
import { OutboundFailed, OutboundRejected } from '../../platform/safe-fetch.ts';
import { type FileFacts, fileProblem } from './file-limits.ts';
import { invalid, type MediaProblem, problemOfFailure, unreachable, unreadable, unsupported } from './media-problem.ts';

/** The duration of a video is that of its frames, whatever its sound does. */
export type MediaFacts = FileFacts & Required<Pick<FileFacts, 'durationSec'>>;

export interface Expected {
  readonly kind: 'audio' | 'video';
  readonly limits: InputLimits;
}

interface ProbeOptions extends Expected {
  /** For all requests together. */
  readonly timeoutMs: number;
}

/** The index of a video of hours has a few megabytes. */
const maxReadBytes = 32 * 2 ** 20;

function checked(facts: ContainerFacts, kind: 'audio' | 'video', limits: InputLimits): MediaFacts | MediaProblem {
  const { contentType: found, name, hasVideo, hasAudio, videoSec, ...measured } = facts;
  const contentType = limits.types.find((type) => type === found);
  if (kind === 'audio' && !hasAudio) return invalid('contains no audio');
  if (kind === 'video' && !hasVideo) return invalid('contains no video');
  if (!contentType) return unsupported(name);
  const seconds = kind === 'video' ? (videoSec ?? 0) : measured.durationSec;
  if (!(seconds > 0 && Number.isFinite(seconds))) return invalid('has no duration');
  // No recording may be free.
  const durationSec = Math.max(0.1, Math.round(seconds * 10) / 10);
  const rounded = { ...measured, contentType, durationSec };
  return fileProblem(rounded, limits) ?? rounded;
}

async function probeFile(
  file: Exclude<RangedFile, { access: 'none' }>,
  { kind, limits }: Expected,
): Promise<MediaFacts | MediaProblem> {
  try {
    const facts = await readContainer(file);
    return facts ? checked(facts, kind, limits) : unreadable(limits.types);
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRejected) return problemOfFailure(error, limits);
    // The reader throws whatever it stumbles over in a broken file, and when it has read too much of one.
    return unreadable(limits.types);
  }
}

/** Probes the file at a URL; servers with and without ranges will do, wherever the file has its index. */
export async function probeMedia(
  { open }: Pick<Outbound, 'open'>,
  url: string,
  { kind, limits, timeoutMs }: ProbeOptions,
): Promise<MediaFacts | MediaProblem> {
  try {
    const file = await openRangedFile(open, url, { timeoutMs, maxReadBytes, maxFileBytes: limits.maxBytes });
    if (file.access === 'none') {
      // An empty file has no range.
      const { status } = file;
      return status === 416 ? unreadable(limits.types) : unreachable(`the server responded with status ${status}`);
    }
    return await probeFile(file, { kind, limits });
  } catch (error) {
    return problemOfFailure(error, limits);
  }
}

/** Probes a file that is being read from its beginning for another purpose. */
export const probeStream = (body: AsyncIterable<Uint8Array>, expected: Expected): Promise<MediaFacts | MediaProblem> =>
  probeFile({ access: 'stream', body, close: () => undefined }, expected);
