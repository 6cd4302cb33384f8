/** Downloads audio and video files by URL within limits, and reads their containers. */
import type { FileHandle } from 'node:fs/promises';
import type { MeasuredFile } from '../shared/media-files/measured-file.ts';
import { readContainer } from '../shared/media-files/read-container.ts';
import type { RangedFile } from '../shared/platform/ranged-file.ts';
import { download, type Wanted } from './download.ts';
import { type InputProblem, WorkFailure } from './work-failure.ts';

export const invalidFile = (
  field: string,
  complaint: string,
  reason: InputProblem['reason'] = 'unreadable',
): WorkFailure => new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`, { field, reason });

/** The time limit of files in the storage of the service. */
export const limitSeconds = 60;

/** Makes a local file readable in parts. */
export const rangesOf = (file: FileHandle, size: number): Extract<RangedFile, { access: 'ranges' }> => ({
  access: 'ranges',
  size,
  async read(start, end) {
    const part = Buffer.alloc(end - start);
    const { bytesRead } = await file.read(part, 0, part.length, start);
    return part.subarray(0, bytesRead);
  },
});

/** Reads the properties that the container of a file declares; undefined if it cannot be read. */
export const factsOf = (file: FileHandle, size: number): Promise<MeasuredFile | undefined> =>
  // The reader may throw any error if the file is invalid.
  readContainer(rangesOf(file, size)).catch(() => undefined);

/**
 * Downloads into an empty file, and returns the properties that its container declares; undefined if it cannot be read.
 */
export async function fetchFile(wanted: Wanted, file: FileHandle): Promise<MeasuredFile | undefined> {
  let size = 0;
  for await (const chunk of download(wanted)) {
    size += chunk.length;
    await file.writeFile(chunk);
  }
  return factsOf(file, size);
}
