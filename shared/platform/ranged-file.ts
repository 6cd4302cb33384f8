/**
 * Reads parts of a remote file: by range requests if its server supports them, otherwise as a stream from the start.
 */
import { collectBytes, TooManyBytes } from './limit-bytes.ts';
import { OutboundFailed, type OutboundStream, type SafeOpen } from './safe-fetch.ts';

interface RangeBudget {
  /** The time limit of all requests together. */
  readonly timeoutMs: number;
  /** The size limit of the file, applied if its server states the size or does not support ranges. */
  readonly maxFileBytes: number;
}

export type RangedFile =
  | {
      readonly access: 'ranges';
      readonly size: number;
      /** The bytes from `start` up to, but excluding, `end`. */
      read(start: number, end: number): Promise<Uint8Array>;
    }
  | {
      readonly access: 'stream';
      /** The size that the server stated. */
      readonly size?: number;
      readonly body: AsyncIterable<Uint8Array>;
      close(): void;
    }
  | { readonly access: 'none'; readonly status: number };

/** How many bytes the first request reads, which contain the index of most short files. */
const firstBytes = 64 * 1024;

/**
 * The size of the file, as stated in a partial response; undefined if the response has another range or states no size.
 */
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

/** Larger parts are not kept: they would double the memory, and are hardly ever read again. */
const largestKept = 2 ** 20;
/** How much is kept of a file that is read as a whole, which may have gigabytes, in addition to its beginning. */
const mostKept = 16 * largestKept;

/** Caches the small parts that were read last. */
function partsOf(beginning: Uint8Array) {
  const parts = [{ start: 0, bytes: beginning }];
  let kept = 0;
  return {
    find(start: number, end: number): Uint8Array | undefined {
      const part = parts.find((known) => known.start <= start && end <= known.start + known.bytes.length);
      return part?.bytes.subarray(start - part.start, end - part.start);
    },
    add(start: number, bytes: Uint8Array): Uint8Array {
      if (bytes.length > largestKept) return bytes;
      parts.push({ start, bytes });
      kept += bytes.length;
      while (kept > mostKept) kept -= parts.splice(1, 1)[0]?.bytes.length ?? 0;
      return bytes;
    },
  };
}

/** Reads a part; a server that sends more has not answered the request. */
async function partOf({ body }: OutboundStream, length: number): Promise<Uint8Array> {
  try {
    return await collectBytes(body, length);
  } catch (error) {
    throw error instanceof TooManyBytes ? new OutboundFailed('protocol') : error;
  }
}

/**
 * Opens a file; throws what {@link SafeOpen} throws, and `too-large` for a file beyond its budget. How much of it is read
 * is limited by the reader.
 */
export async function openRangedFile(open: SafeOpen, url: string, budget: RangeBudget): Promise<RangedFile> {
  const signal = AbortSignal.timeout(budget.timeoutMs);
  const startedAt = performance.now();

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
  const known = partsOf(await partOf(first, Math.min(size, firstBytes)));
  return {
    access: 'ranges',
    size,
    async read(start, end) {
      const part = known.find(start, end);
      if (part) return part;
      const response = await request(start, end);
      const sizeNow = response.status === 206 ? sizeIn(response, start) : undefined;
      if (sizeNow !== size) {
        response.close();
        // The range cannot be satisfied, because the file has become shorter.
        throw new OutboundFailed(sizeNow !== undefined || response.status === 416 ? 'changed' : 'protocol');
      }
      return known.add(start, await partOf(response, end - start));
    },
  };
}
