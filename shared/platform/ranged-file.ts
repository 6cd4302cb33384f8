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
  | {
      readonly access: 'stream';
      /** As announced. */
      readonly size?: number;
      readonly body: AsyncIterable<Uint8Array>;
      close(): void;
    }
  | { readonly access: 'none'; readonly status: number };

/** Contains the index of most short files, so that one request is enough. */
const firstBytes = 64 * 1024;

/** The size of the file from a partial response; undefined if it is another part or the size is unknown. */
function sizeIn({ headers }: OutboundStream, start: number): number | undefined {
  const [, first, size] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  return first !== undefined && Number(first) === start ? Number(size) : undefined;
}

function wholeOf(stream: OutboundStream): RangedFile {
  const { headers, body } = stream;
  const announced = headers['content-length'];
  return {
    access: 'stream',
    ...(announced !== undefined && { size: Number(announced) }),
    body,
    close: () => stream.close(),
  };
}

/** What was read is kept: it is at most as much as may be read. */
function partsOf(beginning: Uint8Array) {
  const parts = [{ start: 0, bytes: beginning }];
  return {
    find(start: number, end: number): Uint8Array | undefined {
      const part = parts.find((known) => known.start <= start && end <= known.start + known.bytes.length);
      return part?.bytes.subarray(start - part.start, end - part.start);
    },
    add(start: number, bytes: Uint8Array): Uint8Array {
      parts.push({ start, bytes });
      return bytes;
    },
  };
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
  if (first.status === 200) return wholeOf(first);
  const size = first.status === 206 ? sizeIn(first, 0) : undefined;
  if (size === undefined) {
    first.close();
    return { access: 'none', status: first.status };
  }
  if (size > budget.maxFileBytes) {
    first.close();
    throw new OutboundFailed('too-large');
  }
  const known = partsOf(await take(first, Math.min(size, firstBytes)));
  return {
    access: 'ranges',
    size,
    async read(start, end) {
      const part = known.find(start, end);
      if (part) return part;
      if (end - start > remaining) throw new RangeBudgetExceeded();
      const response = await request(start, end);
      const sizeNow = response.status === 206 ? sizeIn(response, start) : undefined;
      if (sizeNow !== size) {
        response.close();
        // A file that has become shorter has no such range.
        throw new OutboundFailed(sizeNow !== undefined || response.status === 416 ? 'changed' : 'protocol');
      }
      return known.add(start, await take(response, end - start));
    },
  };
}
