/** Limits how much is read of a stored file, and tells failures of the storage from those of the file's reader. */
import type { RangedFile } from './ranged-file.ts';

type ReadableFile = Extract<RangedFile, { access: 'ranges' }>;

interface ReadLimits {
  readonly maxBytes: number;
  readonly maxReads: number;
}

interface LimitedFile {
  readonly file: ReadableFile;
  /** The error of the first read that the storage failed. */
  readonly failure: () => Error | undefined;
}

/** All reads beyond the limits fail. */
export function limitReads(stored: ReadableFile, { maxBytes, maxReads }: ReadLimits): LimitedFile {
  let [bytes, reads] = [0, 0];
  let failure: Error | undefined;
  const read: ReadableFile['read'] = async (start, end) => {
    bytes += end - start;
    reads += 1;
    if (bytes > maxBytes || reads > maxReads) throw new Error('too much of the file was read');
    try {
      return await stored.read(start, end);
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  };
  return { file: { ...stored, read }, failure: () => failure };
}
