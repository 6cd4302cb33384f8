/** Reads the type and dimensions of an image from its first bytes, without decoding it. */
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { jpegSize } from './jpeg-size.ts';

export interface ImageHead {
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** The width and height in pixels, as displayed: after the EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
}

const readers = [
  { contentType: 'image/jpeg', reader: JPG },
  { contentType: 'image/png', reader: PNG },
  { contentType: 'image/webp', reader: WEBP },
] as const;

/**
 * How many bytes of an image to read: enough to reach the dimensions, even after a camera's preview and color profile.
 */
export const imageHeadBytes = 512 * 1024;

/** The least number of bytes in which an image has its dimensions. Parsers read missing bytes as zeros. */
const shortestHead = 30;

/** EXIF orientations from 5 on swap width and height. */
const isOnItsSide = (orientation = 1): boolean => orientation >= 5;

const unknown = { width: 0, height: 0 };

/** Reads the header; undefined if it is not a JPEG, PNG or WebP, or ends before its dimensions. */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  const head = bytes.subarray(0, imageHeadBytes);
  if (head.length < shortestHead) return undefined;
  for (const { contentType, reader } of readers) {
    try {
      if (!reader.validate(head)) continue;
      const { orientation, ...found } = reader.calculate(head);
      // The library's reader skips JPEG frames of kinds that it does not know, so the size of a JPEG is read
      // separately.
      const { width, height } = contentType === 'image/jpeg' ? (jpegSize(head) ?? unknown) : found;
      if (!(width > 0 && height > 0)) return undefined;
      return isOnItsSide(orientation) ? { contentType, width: height, height: width } : { contentType, width, height };
    } catch {
      // Parsers throw arbitrary errors for malformed files.
      return undefined;
    }
  }
  return undefined;
}
