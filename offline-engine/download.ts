/** Downloads a URL as a stream within limits. */
import { WorkFailure } from './work-failure.ts';

interface Wanted {
  readonly url: string;
  /** The name of the input field, for error messages. */
  readonly field: string;
  readonly maxBytes: number;
  readonly limitSeconds: number;
}

/** Downloads a file. @throws {WorkFailure} DOWNLOAD_FAILED, or INPUT_INVALID if it is too large */
export async function* download({ url, field, maxBytes, limitSeconds }: Wanted): AsyncGenerator<Uint8Array> {
  const failed = (why: string) => new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitSeconds * 1000) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw failed(`the response was ${response.status}`);
    }
    let bytes = 0;
    // Throwing ends the loop, which cancels the stream, so nothing is read beyond the limit.
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new WorkFailure('INPUT_INVALID', `${field} has over ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw failed(error instanceof Error ? error.message : String(error));
  }
}
