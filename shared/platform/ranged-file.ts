/** Reads parts of a remote file: by ranges if its server supports them, otherwise as a stream from its beginning. */
import { collectBytes } from './limit-bytes.ts';
import { OutboundFailed, type OutboundStream, type SafeOpen } from './safe-fetch.ts';

/** The requested parts exceed their total budget. */
class RangeBudgetExceeded extends Error {
  override readonly name = 'RangeBudgetExceeded';
}

interface RangeBudget {
  /** Limits all requests together. */
  readonly timeoutMs: number;
  /** Limits all parts together. */
  readonly maxReadBytes: number;
  /** Limits the whole file, if its server states its size or does not support ranges. */
  readonly maxFileBytes: number;
}

export type RangedFile =
  | {
      readonly access: 'ranges';
      readonly size: number;
      /** The bytes from `start` up to `end`, which is not included. */
      read(start: number, end: number): Promise<Uint8Array>;
    }
  | { readonly access: 'stream'; readonly body: AsyncIterable<Uint8Array>; close(): void }
  | { readonly access: 'none'; readonly status: number };

/** Contains the index of most short files, so that one request is enough. */
const firstBytes = 64 * 1024;

/** The size of the file from a partial response; undefined if it is another part or the size is unknown. */
function sizeIn({ headers }: OutboundStream, start: number): number | undefined {
  const [, first, size] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  return first !== undefined && Number(first) === start ? Number(size) : undefined;
}

/** Opens a file; throws what {@link SafeOpen} throws, and `too-large` for a file beyond its budget. */
export async function openRangedFile(open: SafeOpen, url: string, budget: RangeBudget): Promise<RangedFile> {
  const signal = AbortSignal.timeout(budget.timeoutMs);
  const startedAt = performance.now();
  let remaining = budget.maxReadBytes;

  const request = async (start: number, end: number): Promise<OutboundStream> => {
    const timeoutMs = Math.floor(budget.timeoutMs - (performance.now() - startedAt));
    if (signal.aborted || timeoutMs < 1) throw new OutboundFailed('timeout');
    return open(url, {
      method: 'GET',
      headers: { range: `bytes=${start}-${end - 1}` },
      timeoutMs,
      maxResponseBytes: budget.maxFileBytes,
      onOverflow: 'fail',
      maxRedirects: 3,
    });
  };
  const take = async (stream: OutboundStream, length: number): Promise<Uint8Array> => {
    remaining -= length;
    if (remaining < 0) throw new RangeBudgetExceeded();
    return collectBytes(stream.body, length);
  };

  const first = await request(0, firstBytes);
  if (first.status === 200) return { access: 'stream', body: first.body, close: () => first.close() };
  const size = first.status === 206 ? sizeIn(first, 0) : undefined;
  if (size === undefined) {
    first.close();
    return { access: 'none', status: first.status };
  }
  if (size > budget.maxFileBytes) {
    first.close();
    throw new OutboundFailed('too-large');
  }
  const beginning = await take(first, Math.min(size, firstBytes));
  return {
    access: 'ranges',
    size,
    async read(start, end) {
      if (end <= beginning.length) return beginning.subarray(start, end);
      if (end - start > remaining) throw new RangeBudgetExceeded();
      const part = await request(start, end);
      if (part.status !== 206 || sizeIn(part, start) !== size) {
        part.close();
        throw new OutboundFailed('protocol');
      }
      return take(part, end - start);
    },
  };
}
