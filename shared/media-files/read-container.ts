/** Measures a file when the caller does not need to know why measuring fails. */
import type { MeasuredFile } from './measured-file.ts';
import { isMeasured } from './measured-file.ts';
import { measureFile } from './read-media.ts';
import type { ReadableFile } from './readable-file.ts';

/**
 * The measurements; undefined if the format is unknown or the file is damaged or contradictory. Rejects if the file
 * cannot be read.
 */
export async function readContainer(file: ReadableFile): Promise<MeasuredFile | undefined> {
  const found = await measureFile(file);
  return isMeasured(found) ? found : undefined;
}
