/** Reads the type and dimensions of an image from its first bytes, without decoding it. */
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { upright } from './exif-orientation.ts';
import { pngOrientation, webpFrame, webpOrientation } from './image-orientation.ts';
import { jpegHead } from './jpeg-head.ts';

export interface ImageHead {
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  /** The width and height in pixels, as displayed: after the EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/**
 * How many bytes of an image to read: enough to reach the dimensions, even after a camera's preview and color profile.
 */
export const imageHeadBytes = 512 * 1024;

/** The least number of bytes in which an image has its dimensions. Parsers read missing bytes as zeros. */
const shortestHead = 30;

const startOfJpeg = 0xffd8;

/** The width and height as stored; the orientation is undefined if it may be in bytes that are missing. */
type StoredHead = ImageHead & { readonly orientation: number | undefined };

function storedHead(bytes: Buffer): StoredHead | undefined {
  if (bytes.readUInt16BE() === startOfJpeg) {
    const found = jpegHead(bytes.subarray(0, imageHeadBytes));
    // If a JPEG has not reached its scans by then, another frame header may follow.
    if (found?.orientation === undefined && bytes.length >= imageHeadBytes) return undefined;
    return found && { contentType: 'image/jpeg', ...found };
  }
  if (PNG.validate(bytes)) {
    return { contentType: 'image/png', ...PNG.calculate(bytes), orientation: pngOrientation(bytes) };
  }
  return WEBP.validate(bytes) ? webpHead(bytes) : undefined;
}

/** The canvas of a WebP, which its only frame must fill: some decoders return the frame. */
function webpHead(bytes: Buffer): StoredHead | undefined {
  const { width, height } = WEBP.calculate(bytes);
  const frame = webpFrame(bytes);
  const shown = frame && !frame.isMoving ? WEBP.calculate(frame.asImage) : { width, height };
  if (shown.width !== width || shown.height !== height) return undefined;
  return { contentType: 'image/webp', width, height, orientation: frame && webpOrientation(bytes) };
}

/** EXIF orientations from 5 on swap width and height. */
const isOnItsSide = (orientation: number): boolean => orientation >= 5;

/**
 * Reads the header; undefined if it is not a JPEG, PNG or WebP, or ends before its dimensions. Of a
 * part of an image, also undefined if its orientation may be in bytes that are missing.
 */
export function readImageHead(image: Uint8Array, extent: 'whole' | 'part' = 'whole'): ImageHead | undefined {
  if (image.length < shortestHead) return undefined;
  try {
    const found = storedHead(Buffer.from(image.buffer, image.byteOffset, image.length));
    if (!found || !(found.width > 0 && found.height > 0)) return undefined;
    const { contentType, width, height, orientation = extent === 'whole' ? upright : undefined } = found;
    if (orientation === undefined) return undefined;
    return isOnItsSide(orientation) ? { contentType, width: height, height: width } : { contentType, width, height };
  } catch {
    // Parsers throw arbitrary errors for malformed files.
    return undefined;
  }
}

/** Whether the beginning of an image shows all that can be known of it, or that it is no image. */
export function showsImage(beginning: Uint8Array): boolean {
  if (readImageHead(beginning, 'part')) return true;
  if (beginning.length < imageHeadBytes) return false;
  const image = readImageHead(beginning);
  // The orientation of a WebP usually follows all of its content.
  return image === undefined || image.contentType === 'image/jpeg';
}
