/** Supplies a walk with the bytes that it requests, whether it runs in this thread or another. */
import { growingBlock } from '../platform/growing-block.ts';
import type { WorkLimit } from '../platform/work-limit.ts';
import type { Span } from './file-walk.ts';
import { scattered } from './media-fault.ts';
import type { SeekableFile } from './readable-file.ts';

/** The steps of a walk (see file-walk.ts), which may run in another thread. */
export interface Steps<Result> {
  next(bytes: Uint8Array): IteratorResult<Span, Result> | Promise<IteratorResult<Span, Result>>;
  /** Abandons the walk. */
  close(): void;
}

export interface ReadLimits {
  readonly maxBytes: number;
  readonly maxReads: number;
}

/** Spans larger than this take several times their size in memory, so that few of them should be read at once. */
const largeSpan = 2 ** 20;

/**
 * Waits until a span may be read, if there is a limit for large ones; returns the function to call when it is no longer
 * needed.
 */
async function turnToRead(bytes: number, largeReads: WorkLimit | undefined): Promise<() => void> {
  if (bytes <= largeSpan || !largeReads) return () => undefined;
  const over = Promise.withResolvers<void>();
  await new Promise<void>((begin) => {
    void largeReads(() => {
      begin();
      return over.promise;
    });
  });
  return over.resolve;
}

const nothing = new Uint8Array();
const exists = new Uint8Array(1);

/** Runs a walk on a file that is read in parts. @throws {MediaFault} scattered, and what reading the file throws */
export async function driveFile<Result>(
  steps: Steps<Result>,
  file: SeekableFile,
  { maxBytes, maxReads }: ReadLimits,
  largeReads?: WorkLimit,
): Promise<Result> {
  const { size } = file;
  let [reads, bytes] = [0, 0];
  let step = await steps.next(nothing);
  while (!step.done) {
    const { start, end, isRead, parts = [{ start, end }] } = step.value;
    if (start >= size || !isRead) {
      step = await steps.next(start >= size ? nothing : exists);
      continue;
    }
    const wanted = parts.reduce((sum, part) => sum + Math.min(part.end, size) - part.start, 0);
    reads += parts.length;
    bytes += wanted;
    if (reads > maxReads || bytes > maxBytes) throw scattered();
    const release = await turnToRead(wanted, largeReads);
    try {
      const read = await Promise.all(parts.map((part) => file.read(part.start, Math.min(part.end, size))));
      step = await steps.next(read.length === 1 && read[0] ? read[0] : Buffer.concat(read));
    } finally {
      release();
    }
  }
  return step.value;
}

/** Runs a walk on a stream, which is read only as far as the walk needs. */
export async function driveStream<Result>(
  steps: Steps<Result>,
  body: AsyncIterable<Uint8Array>,
  largeReads?: WorkLimit,
): Promise<Result> {
  let step = await steps.next(nothing);
  let [position, block] = [0, growingBlock(0)];
  let release: (() => void) | undefined;
  const expectSpan = () => {
    release?.();
    release = undefined;
    if (!step.done) block = growingBlock(step.value.end - step.value.start);
  };
  expectSpan();
  try {
    for await (const chunk of body) {
      const chunkAt = position;
      position += chunk.length;
      while (!step.done && position > step.value.start) {
        const { start, end, min = end } = step.value;
        release ??= await turnToRead(min - start, largeReads);
        block.add(chunk.subarray(Math.max(0, start + block.bytes().length - chunkAt)));
        if (position < min) break;
        step = await steps.next(block.bytes());
        expectSpan();
      }
      if (step.done) return step.value;
    }
    while (!step.done) {
      step = await steps.next(block.bytes());
      expectSpan();
    }
    return step.value;
  } finally {
    release?.();
  }
}
