/** Downloads audio and video files by URL within limits, and reads what their containers say. */
import type { FileHandle } from 'node:fs/promises';
import type { MeasuredFile } from '../shared/media-files/measured-file.ts';
import { readContainer } from '../shared/media-files/read-container.ts';
import type { RangedFile } from '../shared/platform/ranged-file.ts';
import { download } from './download.ts';
import { type InputProblem, WorkFailure } from './work-failure.ts';

const limitSeconds = 60;

export const invalidFile = (
  field: string,
  complaint: string,
  reason: InputProblem['reason'] = 'unreadable',
): WorkFailure => new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`, { field, reason });

/** A local file whose parts can be read. */
export const rangesOf = (file: FileHandle, size: number): Extract<RangedFile, { access: 'ranges' }> => ({
  access: 'ranges',
  size,
  async read(start, end) {
    const part = Buffer.alloc(end - start);
    const { bytesRead } = await file.read(part, 0, part.length, start);
    return part.subarray(0, bytesRead);
  },
});

/** What its container says; undefined if it cannot be read. */
export const factsOf = (file: FileHandle, size: number): Promise<MeasuredFile | undefined> =>
  // The reader throws whatever it stumbles over in a broken file.
  readContainer(rangesOf(file, size)).catch(() => undefined);

interface WantedFile {
  readonly url: string;
  /** Names the file in messages. */
  readonly field: string;
  readonly maxBytes: number;
}

/** What the container says of a new, empty file that was filled with the download; undefined if it cannot be read. */
export async function fetchFile(wanted: WantedFile, file: FileHandle): Promise<MeasuredFile | undefined> {
  let size = 0;
  for await (const chunk of download({ ...wanted, limitSeconds })) {
    size += chunk.length;
    await file.writeFile(chunk);
  }
  return factsOf(file, size);
}
