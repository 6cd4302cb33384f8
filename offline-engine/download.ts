/** Downloads a URL as a stream within limits, by the service's rules for clients' URLs. */
import { OutboundFailed, OutboundRejected, safeOpen } from '../shared/platform/safe-fetch.ts';
import { type InputProblem, WorkFailure } from './work-failure.ts';

export interface Wanted {
  readonly url: string;
  /** The name of the input field, for error messages. */
  readonly field: string;
  readonly maxBytes: number;
  readonly limitSeconds: number;
  /** Whether the file is at a client's address, with redirects, and not in the storage of the service. */
  readonly isElsewhere?: true;
  /** Receives the share that has arrived, from 0 to 1, if the length is known. */
  readonly onProgress?: (share: number) => void;
}

const open = safeOpen({ policy: 'local' });
const idleMs = 60_000;
const maxRedirects = 3;

/** Eight jobs download at once, so that a client's server that sends a byte now and then would keep others waiting. */
const slowest = { afterMs: 30_000, bytesPerSecond: 64 * 1024 } as const;

export const isTooSlow = (bytes: number, elapsedMs: number): boolean =>
  elapsedMs > slowest.afterMs && bytes < (slowest.bytesPerSecond * elapsedMs) / 1000;

/** Downloads a file. @throws {WorkFailure} DOWNLOAD_FAILED, or INPUT_INVALID if it is too large */
export async function* download(wanted: Wanted): AsyncGenerator<Uint8Array> {
  const { url, field, maxBytes, limitSeconds, isElsewhere, onProgress } = wanted;
  const problem = (reason: InputProblem['reason']) => (isElsewhere ? { field, reason } : undefined);
  const failed = (why: string) =>
    new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`, problem('unreachable'));
  const limits = { timeoutMs: limitSeconds * 1000, idleMs, maxResponseBytes: maxBytes, onOverflow: 'fail' } as const;
  try {
    const stream = await open(url, { method: 'GET', ...limits, maxRedirects: isElsewhere ? maxRedirects : 0 });
    try {
      if (stream.status !== 200) throw failed(`the response was ${stream.status}`);
      const announced = Number(stream.headers['content-length'] ?? Number.NaN);
      let bytes = 0;
      const startedMs = performance.now();
      for await (const chunk of stream.body) {
        yield chunk;
        bytes += chunk.length;
        if (isElsewhere && isTooSlow(bytes, performance.now() - startedMs)) throw failed('its server is too slow');
        if (announced > 0) onProgress?.(bytes / announced);
      }
    } finally {
      stream.close();
    }
  } catch (error) {
    if (error instanceof OutboundRejected) throw failed(error.message);
    if (!(error instanceof OutboundFailed)) throw error;
    if (error.reason !== 'too-large') throw failed(error.reason);
    throw new WorkFailure('INPUT_INVALID', `${field} has over ${maxBytes} bytes.`, problem('too-large'));
  }
}
