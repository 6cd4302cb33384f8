/** Writes ZIP archives of any length as streams, without compressing: media are compressed already. */
import { makeZip } from 'client-zip';

export interface ZipEntry {
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly lastModified: number;
  readonly input: AsyncIterable<Uint8Array> | string;
}

/** The archive of these entries, each of which is read when it is written. */
export const zipArchive = (entries: AsyncIterable<ZipEntry>): AsyncIterable<Uint8Array> => makeZip(entries);
