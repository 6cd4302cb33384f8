/** Detects the type of a file from its first bytes, whatever its name. */
import { fileTypeFromBuffer } from 'file-type';

export interface SniffedType {
  /** Without parameters, e.g. `video/mp4`. */
  readonly contentType: string;
  /** The name to display: `GIF`. */
  readonly name: string;
}

/** Aliases of some types. */
const aliases: Readonly<Record<string, string>> = { 'audio/x-m4a': 'audio/mp4', 'audio/x-wav': 'audio/wav' };

/** Undefined for an unknown type. */
export async function sniffType(head: Uint8Array): Promise<SniffedType | undefined> {
  const found = await fileTypeFromBuffer(head);
  if (!found) return undefined;
  const [mime = ''] = found.mime.split(';');
  return { contentType: aliases[mime] ?? mime, name: found.ext.toUpperCase() };
}
