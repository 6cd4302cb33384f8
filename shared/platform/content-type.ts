/** Detects the type of a file from its first bytes, whatever its name. */
import { fileTypeFromBuffer } from 'file-type';

export interface SniffedType {
  /** The media type without parameters, such as `video/mp4`. */
  readonly contentType: string;
  /** The name to display, such as `GIF`. */
  readonly name: string;
}

/** Maps alternative names of media types to those that the contract uses. */
const aliases: Readonly<Record<string, string>> = { 'audio/x-m4a': 'audio/mp4', 'audio/x-wav': 'audio/wav' };

/** Detects the type of a file from its first bytes; undefined if it is unknown. */
export async function sniffType(head: Uint8Array): Promise<SniffedType | undefined> {
  const found = await fileTypeFromBuffer(head);
  if (!found) return undefined;
  const [mime = ''] = found.mime.split(';');
  return { contentType: aliases[mime] ?? mime, name: found.ext.toUpperCase() };
}
