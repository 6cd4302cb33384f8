/** Downloads a video to be cut from any host into a local file, without keeping it in memory. */
import { clipSource } from '../../shared/contracts/generate-cortes.ts';
import { OutboundFailed, OutboundRejected, safeOpen } from '../../shared/platform/safe-fetch.ts';
import { factsOf, invalidFile } from '../fetch-file.ts';
import { type FetchedVideo, storedVideo } from '../video/fetch-video.ts';
import { WorkFailure } from '../work-failure.ts';

/** Uses the service's rules for clients' URLs, because this file was not copied to its storage. */
const open = safeOpen({ policy: 'local' });

const timeoutMs = 20 * 60_000;
const idleMs = 60_000;
const field = 'videoUrl';

const failed = (why: string) =>
  new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`, { field, reason: 'unreachable' });

function failureOf(error: unknown): unknown {
  if (error instanceof OutboundRejected) return failed(error.message);
  if (!(error instanceof OutboundFailed)) return error;
  return error.reason === 'too-large'
    ? invalidFile(field, `has over ${clipSource.maxBytes} bytes`, 'too-large')
    : failed(error.reason);
}

async function* bodyOf(url: string, progress: (share: number) => void): AsyncGenerator<Uint8Array> {
  const bounds = { maxResponseBytes: clipSource.maxBytes, onOverflow: 'fail', maxRedirects: 3 } as const;
  const stream = await open(url, { method: 'GET', timeoutMs, idleMs, ...bounds });
  try {
    if (stream.status !== 200) throw failed(`the response was ${stream.status}`);
    const announced = Number(stream.headers['content-length'] ?? Number.NaN);
    let bytes = 0;
    for await (const chunk of stream.body) {
      yield chunk;
      bytes += chunk.length;
      if (announced > 0) progress(bytes / announced);
    }
  } finally {
    stream.close();
  }
}

/** Downloads the video; `progress` goes from 0 to 1. @throws {WorkFailure} DOWNLOAD_FAILED, INPUT_INVALID */
export const downloadSource = (url: string, folder: string, progress: (share: number) => void): Promise<FetchedVideo> =>
  storedVideo(field, folder, async (file) => {
    let bytes = 0;
    try {
      for await (const chunk of bodyOf(url, progress)) {
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      return await factsOf(file, bytes);
    } catch (error) {
      throw failureOf(error);
    }
  });
