/**
 * Copies a task's video into the service's own storage: by concurrent range requests if the server identifies the
 * file's version, otherwise as one stream.
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
  /** Whether the copy is still needed; checked before each part. */
  readonly isWanted: () => Promise<boolean>;
  /** Waits before another attempt. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A remote file, as described by its server's response headers. */
export interface RemoteFile {
  readonly url: string;
  readonly limits: InputLimits;
  /** When copying must end, including all attempts. */
  readonly deadlineAt: number;
}

/** The version of the file that is copied by ranges. */
export interface FileVersion {
  readonly size: number;
  /** A strong ETag: ranges with the same one are parts of the same bytes. */
  readonly etag: string;
}

/** A range of bytes that one call copies as several upload parts. */
export interface CopyRange {
  /** The number of the range's first part. */
  readonly first: number;
  readonly start: number;
  /** The end of the range, exclusive. */
  readonly end: number;
}

/** The size of a part, which a process holds in memory. The local substitute for S3 accepts at most 11 MiB at once. */
export const partBytes = 8 * 2 ** 20;
/** The size of a range, which one call copies. */
const rangeBytes = 8 * partBytes;

/** How often a range or a whole file is requested, and the pauses between attempts. */
const attempts = 4;
const pauseMs = 1000;
const idleMs = 30_000;
const probeMs = 20_000;

const request = { method: 'GET', onOverflow: 'fail', maxRedirects: 3, idleMs } as const;

const strongEtag = (etag: string | undefined): string | undefined => (/^"[^"]*"$/.test(etag ?? '') ? etag : undefined);

const problemOfStatus = (status: number): MediaProblem => unreachable(`the server responded with status ${status}`);

/** The time left is at least a millisecond, so that a request without time left fails as a timeout. */
const timeLeftMs = ({ clock }: Pick<CopyNeeds, 'clock'>, { deadlineAt }: RemoteFile): number =>
  Math.max(1, deadlineAt - clock.now());

export const copyRangesOf = (size: number): readonly CopyRange[] =>
  Array.from({ length: Math.ceil(size / rangeBytes) }, (_, index) => ({
    first: 1 + index * (rangeBytes / partBytes),
    start: index * rangeBytes,
    end: Math.min(size, (index + 1) * rangeBytes),
  }));

/**
 * Determines the version whose ranges a server serves; `whole` if it supports no ranges or does not identify the
 * version.
 */
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

/** Splits a stream into blocks of exactly one size, except the last. */
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

/** Why an attempt failed, and whether another one may succeed. */
interface Failure {
  readonly problem: MediaProblem;
  readonly mayPass: boolean;
}

const definite = (problem: MediaProblem): Failure => ({ problem, mayPass: false });

const changed = definite(unreachable('the file changed while it was being read'));
const otherBytes = definite(unreachable('the server sent other bytes than were requested'));

const transient: readonly string[] = ['timeout', 'dns', 'connection', 'tls'];

/** Classifies an error. @throws errors that the file's server did not cause */
function failureOf(error: unknown, { limits }: RemoteFile): Failure {
  const problem = problemOfFailure(error, limits);
  return { problem, mayPass: error instanceof OutboundFailed && transient.includes(error.reason) };
}

const failureOfStatus = (status: number): Failure => ({
  problem: problemOfStatus(status),
  mayPass: status >= 500 || status === 408 || status === 429,
});

/** Why a response is not the requested range; undefined if it is. */
function rangeFailure({ status, headers }: OutboundStream, start: number, end: number, { size, etag }: FileVersion) {
  // The file has changed: the server sends it whole because the ETag no longer matches, or rejects the range because it
  // is shorter.
  if (status === 200 || status === 416) return changed;
  if (status !== 206) return failureOfStatus(status);
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  if (Number(total) !== size || (headers.etag ?? etag) !== etag) return changed;
  return Number(first) === start && Number(last) === end - 1 ? undefined : otherBytes;
}

type Copy = CopyNeeds & { readonly file: RemoteFile; readonly upload: Upload };

/** Uploads the rest of a stream as further parts after the existing ones. */
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

/** Reads exactly the bytes of a range; throws if there are fewer or more. */
async function* exactly(body: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of limitBytes(body, bytes)) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new OutboundFailed('connection');
}

async function attemptRange(copy: Copy, version: FileVersion, range: CopyRange, parts: UploadedPart[]) {
  const start = range.start + parts.length * partBytes;
  const { end } = range;
  if (start >= end) return undefined;
  try {
    const stream = await copy.outbound.open(copy.file.url, {
      ...request,
      headers: { range: `bytes=${start}-${end - 1}`, 'if-range': version.etag },
      timeoutMs: timeLeftMs(copy, copy.file),
      // The limit is larger than the range, so that a server that sends too much is detected by the count of bytes.
      maxResponseBytes: copy.file.limits.maxBytes,
    });
    try {
      const failure = rangeFailure(stream, start, end, version);
      if (!failure) await uploadRest(copy, parts, range.first, exactly(stream.body, end - start));
      return failure;
    } finally {
      stream.close();
    }
  } catch (error) {
    return error instanceof TooManyBytes ? otherBytes : failureOf(error, copy.file);
  }
}

/** Repeats an attempt as long as it may succeed. */
async function persist(copy: Copy, attempt: () => Promise<Failure | undefined>): Promise<MediaProblem | undefined> {
  for (let count = 1; ; count += 1) {
    const failure = await attempt();
    if (!failure) return undefined;
    const isOver = count >= attempts || copy.clock.now() + pauseMs >= copy.file.deadlineAt;
    if (!failure.mayPass || isOver) return failure.problem;
    await copy.pause(pauseMs * count);
  }
}

/**
 * Copies a range; returns its parts, or fewer if the copy is no longer needed. After an interruption it continues
 * after the existing parts.
 */
export async function copyRange(
  needs: CopyNeeds,
  { file, upload, version }: { readonly file: RemoteFile; readonly upload: Upload; readonly version: FileVersion },
  range: CopyRange,
): Promise<readonly UploadedPart[] | MediaProblem> {
  const parts: UploadedPart[] = [];
  const copy = { ...needs, file, upload };
  const problem = await persist(copy, () => attemptRange(copy, version, range, parts));
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

/**
 * Copies a whole file; returns its parts, or fewer if the copy is no longer needed. After an interruption it starts
 * over.
 */
export async function copyWhole(
  needs: CopyNeeds,
  { file, upload }: { readonly file: RemoteFile; readonly upload: Upload },
): Promise<readonly UploadedPart[] | MediaProblem> {
  const parts: UploadedPart[] = [];
  const copy = { ...needs, file, upload };
  const problem = await persist(copy, () => attemptWhole(copy, parts));
  return problem ?? parts;
}
