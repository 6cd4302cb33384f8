/** What kind of file bytes are the beginning of, whatever it is called. */
import { fileTypeFromBuffer } from 'file-type';

export interface SniffedType {
  /** Without parameters, e.g. `video/mp4`. */
  readonly contentType: string;
  /** What people call it: `GIF`. */
  readonly name: string;
}

/** The names under which some types also go. */
const aliases: Readonly<Record<string, string>> = { 'audio/x-m4a': 'audio/mp4', 'audio/x-wav': 'audio/wav' };

/** Undefined for bytes that begin like no known kind of file. */
export async function sniffType(head: Uint8Array): Promise<SniffedType | undefined> {
  const found = await fileTypeFromBuffer(head);
  if (!found) return undefined;
  const [mime = ''] = found.mime.split(';');
  return { contentType: aliases[mime] ?? mime, name: found.ext.toUpperCase() };
}
