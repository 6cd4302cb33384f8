/** What kind of picture a file is, and how large: told by its first bytes, without decoding it. */
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

export interface ImageHead {
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** Pixels, as the picture is shown: turned as its camera says. */
  readonly width: number;
  readonly height: number;
}

const readers = [
  { contentType: 'image/jpeg', reader: JPG },
  { contentType: 'image/png', reader: PNG },
  { contentType: 'image/webp', reader: WEBP },
] as const;

/** As much of a file as tells its dimensions, even when a camera's preview and colour profile come first. */
export const imageHeadBytes = 512 * 1024;

/** No picture tells its dimensions in fewer; readers take what is missing for zeros. */
const shortestHead = 30;

/** In EXIF, the orientations from 5 on lie on their side. */
const isOnItsSide = (orientation = 1): boolean => orientation >= 5;

/** Undefined when it is no JPEG, PNG or WebP, or is broken off before its dimensions. */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  const head = bytes.subarray(0, imageHeadBytes);
  if (head.length < shortestHead) return undefined;
  for (const { contentType, reader } of readers) {
    try {
      if (!reader.validate(head)) continue;
      const { width, height, orientation } = reader.calculate(head);
      if (!(width > 0 && height > 0)) return undefined;
      return isOnItsSide(orientation) ? { contentType, width: height, height: width } : { contentType, width, height };
    } catch {
      // Readers throw whatever they stumble over in a file that is not what it begins as.
      return undefined;
    }
  }
  return undefined;
}
