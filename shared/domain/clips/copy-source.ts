/**
 * Copies the video of a task into the service's own storage: by ranges, several at a time, if its server can tell that
 * they are of the same file; otherwise as one stream.
 */
import type { InputLimits } from '../../contracts/media.ts';
import type { Clock } from '../../platform/clock.ts';
import { limitBytes, TooManyBytes } from '../../platform/limit-bytes.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { OutboundFailed, type OutboundStream } from '../../platform/safe-fetch.ts';
import type { Upload, UploadedPart, WorkStorage } from '../../platform/work-storage.ts';
import { type MediaProblem, problemOfFailure, unreachable } from '../media/media-problem.ts';

export interface CopyNeeds {
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, 'open'>;
  readonly work: Pick<WorkStorage, 'uploadPart'>;
  /** Whether the copy is still of use: asked before each part. */
  readonly isWanted: () => Promise<boolean>;
  /** Waits before another attempt. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A file as a server announces it. */
export interface RemoteFile {
  readonly url: string;
  readonly limits: InputLimits;
  /** When no attempt may go on. */
  readonly deadlineAt: number;
}

/** The version of a file whose ranges are copied. */
export interface FileVersion {
  readonly size: number;
  /** Strong: the ranges of one version are parts of the same bytes. */
  readonly etag: string;
}

/** Bytes that one request copies as several parts of an upload. */
export interface Stretch {
  /** The number of its first part. */
  readonly first: number;
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

/** What a process holds in memory of a file. The local substitute of S3 takes no more than 11 MiB at once. */
export const partBytes = 8 * 2 ** 20;
/** What one request copies. */
const stretchBytes = 8 * partBytes;

/** How often a range or the whole file is requested, and the pauses between. */
const attempts = 4;
const pauseMs = 1000;
const idleMs = 30_000;
const probeMs = 20_000;

const request = { method: 'GET', onOverflow: 'fail', maxRedirects: 3, idleMs } as const;

const strongEtag = (etag: string | undefined): string | undefined => (/^"[^"]*"$/.test(etag ?? '') ? etag : undefined);

const problemOfStatus = (status: number): MediaProblem => unreachable(`the server responded with status ${status}`);

/** At least a millisecond: a request that has no time fails as one that took too long. */
const timeLeftMs = ({ clock }: Pick<CopyNeeds, 'clock'>, { deadlineAt }: RemoteFile): number =>
  Math.max(1, deadlineAt - clock.now());

export const stretchesOf = (size: number): readonly Stretch[] =>
  Array.from({ length: Math.ceil(size / stretchBytes) }, (_, index) => ({
    first: 1 + index * (stretchBytes / partBytes),
    start: index * stretchBytes,
    end: Math.min(size, (index + 1) * stretchBytes),
  }));

/** The version whose ranges a server serves; `whole` if it serves none, or does not say of which version they are. */
export async function probeServer(
  needs: Pick<CopyNeeds, 'clock' | 'outbound'>,
  file: RemoteFile,
): Promise<FileVersion | 'whole' | MediaProblem> {
  try {
    const stream = await needs.outbound.open(file.url, {
      ...request,
      headers: { range: 'bytes=0-0' },
      timeoutMs: Math.min(probeMs, timeLeftMs(needs, file)),
      maxResponseBytes: file.limits.maxBytes,
    });
    stream.close();
    if (stream.status === 200) return 'whole';
    if (stream.status !== 206) return problemOfStatus(stream.status);
    const [, total] = /^bytes 0-0\/(\d{1,15})$/.exec(stream.headers['content-range'] ?? '') ?? [];
    const etag = strongEtag(stream.headers.etag);
    if (total === undefined || etag === undefined) return 'whole';
    const size = Number(total);
    return size > file.limits.maxBytes
      ? problemOfFailure(new OutboundFailed('too-large'), file.limits)
      : { size, etag };
  } catch (error) {
    return problemOfFailure(error, file.limits);
  }
}

/** Blocks of exactly so many bytes, but for the last one. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(partBytes);
  let length = 0;
  for await (const chunk of body) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + partBytes - length);
      block.set(part, length);
      taken += part.length;
      length += part.length;
      if (length < partBytes) continue;
      yield block;
      block = Buffer.allocUnsafe(partBytes);
      length = 0;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}

/** Whether another attempt may succeed. */
interface Failure {
  readonly problem: MediaProblem;
  readonly mayPass: boolean;
}

const definite = (problem: MediaProblem): Failure => ({ problem, mayPass: false });

const changed = definite(unreachable('the file changed while it was being read'));
const otherBytes = definite(unreachable('the server sent other bytes than were requested'));

const transient: readonly string[] = ['timeout', 'dns', 'connection', 'tls'];

/** @throws what is not the fault of the file's server */
function failureOf(error: unknown, { limits }: RemoteFile): Failure {
  const problem = problemOfFailure(error, limits);
  return { problem, mayPass: error instanceof OutboundFailed && transient.includes(error.reason) };
}

const failureOfStatus = (status: number): Failure => ({
  problem: problemOfStatus(status),
  mayPass: status >= 500 || status === 408 || status === 429,
});

/** A response to a range that is none; undefined for the range itself. */
function rangeFailure({ status, headers }: OutboundStream, start: number, end: number, { size, etag }: FileVersion) {
  // A whole file is the answer to a condition that no longer holds; a shorter file has no such range.
  if (status === 200 || status === 416) return changed;
  if (status !== 206) return failureOfStatus(status);
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  if (Number(total) !== size || (headers.etag ?? etag) !== etag) return changed;
  return Number(first) === start && Number(last) === end - 1 ? undefined : otherBytes;
}

type Copy = CopyNeeds & { readonly file: RemoteFile; readonly upload: Upload };

/** Uploads what follows the parts that are there already, and adds to them. */
async function uploadRest(
  { work, upload, isWanted }: Copy,
  parts: UploadedPart[],
  first: number,
  body: AsyncIterable<Uint8Array>,
) {
  for await (const block of blocksOf(body)) {
    if (!(await isWanted())) return;
    parts.push(await work.uploadPart(upload, first + parts.length, block));
  }
}

/** The body of a range: exactly its bytes. */
async function* exactly(body: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of limitBytes(body, bytes)) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new OutboundFailed('connection');
}

async function attemptRange(copy: Copy, version: FileVersion, stretch: Stretch, parts: UploadedPart[]) {
  const start = stretch.start + parts.length * partBytes;
  const { end } = stretch;
  if (start >= end) return undefined;
  try {
    const stream = await copy.outbound.open(copy.file.url, {
      ...request,
      headers: { range: `bytes=${start}-${end - 1}`, 'if-range': version.etag },
      timeoutMs: timeLeftMs(copy, copy.file),
      // What is sent beyond the range is noticed where it is counted.
      maxResponseBytes: copy.file.limits.maxBytes,
    });
    try {
      const failure = rangeFailure(stream, start, end, version);
      if (!failure) await uploadRest(copy, parts, stretch.first, exactly(stream.body, end - start));
      return failure;
    } finally {
      stream.close();
    }
  } catch (error) {
    return error instanceof TooManyBytes ? otherBytes : failureOf(error, copy.file);
  }
}

/** Repeats an attempt while it may succeed. */
async function persist(copy: Copy, attempt: () => Promise<Failure | undefined>): Promise<MediaProblem | undefined> {
  for (let count = 1; ; count += 1) {
    const failure = await attempt();
    if (!failure) return undefined;
    const isOver = count >= attempts || copy.clock.now() + pauseMs >= copy.file.deadlineAt;
    if (!failure.mayPass || isOver) return failure.problem;
    await copy.pause(pauseMs * count);
  }
}

/** The parts of a stretch; an interrupted one goes on after the parts that are there. Not all of them if it is no longer wanted. */
export async function copyStretch(
  needs: CopyNeeds,
  { file, upload, version }: { readonly file: RemoteFile; readonly upload: Upload; readonly version: FileVersion },
  stretch: Stretch,
): Promise<readonly UploadedPart[] | MediaProblem> {
  const parts: UploadedPart[] = [];
  const copy = { ...needs, file, upload };
  const problem = await persist(copy, () => attemptRange(copy, version, stretch, parts));
  return problem ?? parts;
}

async function attemptWhole(copy: Copy, parts: UploadedPart[]): Promise<Failure | undefined> {
  parts.splice(0);
  try {
    const stream = await copy.outbound.open(copy.file.url, {
      ...request,
      timeoutMs: timeLeftMs(copy, copy.file),
      maxResponseBytes: copy.file.limits.maxBytes,
    });
    try {
      if (stream.status !== 200) return failureOfStatus(stream.status);
      await uploadRest(copy, parts, 1, stream.body);
      return undefined;
    } finally {
      stream.close();
    }
  } catch (error) {
    return failureOf(error, copy.file);
  }
}

/** The parts of a whole file; an interrupted one begins anew. Not all of them if it is no longer wanted. */
export async function copyWhole(
  needs: CopyNeeds,
  { file, upload }: { readonly file: RemoteFile; readonly upload: Upload },
): Promise<readonly UploadedPart[] | MediaProblem> {
  const parts: UploadedPart[] = [];
  const copy = { ...needs, file, upload };
  const problem = await persist(copy, () => attemptWhole(copy, parts));
  return problem ?? parts;
}
