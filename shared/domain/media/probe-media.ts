/** Audio and video inputs: type, duration and dimensions, read without downloading more than needed. */
import type { InputLimits, MediaType } from '../../contracts/media.ts';
import { fileExtent, isTruncatedFile } from '../../media-files/file-extent.ts';
import { type ContainerFacts, readContainer } from '../../media-files/read-container.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { openRangedFile, type RangedFile } from '../../platform/ranged-file.ts';
import { OutboundFailed, OutboundRejected } from '../../platform/safe-fetch.ts';
import { type FileFacts, fileProblem } from './file-limits.ts';
import {
  invalid,
  isProblem,
  type MediaProblem,
  problemOfFailure,
  truncated,
  unreachable,
  unreadable,
  unsupported,
} from './media-problem.ts';

/** The duration of a video is that of its frames, whatever its sound does. */
export type MediaFacts = FileFacts & Required<Pick<FileFacts, 'contentType' | 'durationSec'>>;

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

/** Whether the container is accepted, whatever tracks it has. */
const isContainerOf = (found: string, types: readonly MediaType[]): boolean =>
  types.some((type) => type.split('/')[1] === found.split('/')[1]);

function checked(facts: ContainerFacts, kind: 'audio' | 'video', limits: InputLimits): MediaFacts | MediaProblem {
  const { contentType: found, name, hasVideo, hasAudio, videoSec, ...measured } = facts;
  const contentType = limits.types.find((type) => type === found);
  if (!isContainerOf(found, limits.types)) return unsupported(name, limits.types);
  if (kind === 'audio' && !hasAudio) return invalid('contains no audio');
  if (kind === 'video' && !hasVideo) return invalid('contains no video');
  if (!contentType) return unsupported(name, limits.types);
  const seconds = kind === 'video' ? (videoSec ?? 0) : measured.durationSec;
  if (!(seconds > 0 && Number.isFinite(seconds))) return invalid('has no duration');
  // No recording may be free.
  const durationSec = Math.max(0.1, Math.round(seconds * 10) / 10);
  const rounded = { ...measured, contentType, durationSec };
  return fileProblem(rounded, limits) ?? rounded;
}

type ReadableFile = Exclude<RangedFile, { access: 'none' }>;

/** The same file, and whether it is truncated, as far as the part that was read shows. */
function withExtent(file: ReadableFile): readonly [ReadableFile, isTruncated: () => Promise<boolean>] {
  if (file.access === 'ranges') {
    // It is checked again while it is copied, when all of it is read anyway.
    return [file, () => isTruncatedFile(file).then(Boolean, () => false)];
  }
  const { body: whole, size } = file;
  const extent = fileExtent();
  async function* body() {
    for await (const chunk of whole) {
      extent.add(chunk);
      yield chunk;
    }
  }
  return [{ ...file, body: body() }, async () => size !== undefined && extent.isTruncated(size) === true];
}

async function probeFile(file: ReadableFile, { kind, limits }: Expected): Promise<MediaFacts | MediaProblem> {
  const [read, isTruncated] = withExtent(file);
  try {
    const facts = await readContainer(read);
    if (!facts) return unreadable(limits.types);
    const found = checked(facts, kind, limits);
    return !isProblem(found) && (await isTruncated()) ? truncated : found;
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

/** Probes a file in the service's own storage. */
export const probeStored = (
  file: Extract<RangedFile, { access: 'ranges' }>,
  expected: Expected,
): Promise<MediaFacts | MediaProblem> => probeFile(file, expected);

/** Probes a file that is being read from its beginning for another purpose. */
export const probeStream = (body: AsyncIterable<Uint8Array>, expected: Expected): Promise<MediaFacts | MediaProblem> =>
  probeFile({ access: 'stream', body, close: () => undefined }, expected);
