/** Measures a file by which only those that can be measured are told apart. */
import type { MeasuredFile } from './measured-file.ts';
import { isMeasured } from './measured-file.ts';
import { measureFile } from './read-media.ts';
import type { ReadableFile } from './readable-file.ts';

/** Undefined for an unknown format or a file that is damaged or false; rejects with the error of reading the file. */
export async function readContainer(file: ReadableFile): Promise<MeasuredFile | undefined> {
  const found = await measureFile(file);
  return isMeasured(found) ? found : undefined;
}
