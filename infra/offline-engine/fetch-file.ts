/** Downloads audio and video files by URL within limits, and reads what their containers say. */
import type { FileHandle } from 'node:fs/promises';
import { type ContainerFacts, readContainer } from '../../shared/platform/read-container.ts';
import { type InputProblem, WorkFailure } from './work-failure.ts';

const limitSeconds = 60;

export const invalidFile = (
  field: string,
  complaint: string,
  reason: InputProblem['reason'] = 'unreadable',
): WorkFailure => new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`, { field, reason });

const download = async (url: string, field: string, maxBytes: number, file: FileHandle): Promise<number> => {
  const failed = (why: string) => new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitSeconds * 1000) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw failed(`the response was ${response.status}`);
    }
    let bytes = 0;
    // Leaving the loop cancels the stream, so nothing is read beyond the limit.
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw invalidFile(field, `has over ${maxBytes} bytes`);
      await file.writeFile(chunk);
    }
    return bytes;
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw failed(error instanceof Error ? error.message : String(error));
  }
};

/** What its container says; undefined if it cannot be read. */
export const factsOf = (file: FileHandle, size: number): Promise<ContainerFacts | undefined> =>
  readContainer({
    access: 'ranges',
    size,
    async read(start, end) {
      const part = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(part, 0, part.length, start);
      return part.subarray(0, bytesRead);
    },
    // The reader throws whatever it stumbles over in a broken file.
  }).catch(() => undefined);

interface WantedFile {
  readonly url: string;
  /** Names the file in messages. */
  readonly field: string;
  readonly maxBytes: number;
}

/** What the container says of a new, empty file that was filled with the download; undefined if it cannot be read. */
export const fetchFile = async (
  { url, field, maxBytes }: WantedFile,
  file: FileHandle,
): Promise<ContainerFacts | undefined> => factsOf(file, await download(url, field, maxBytes, file));
