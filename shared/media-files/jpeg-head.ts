/** Reads the dimensions of a JPEG from its only frame header, and its EXIF orientation. */
import { exifOrientation, exifPrefix, upright } from './exif-orientation.ts';

/** The marker of a JPEG-LS frame, which some decoders read. */
const losslessFrame = 0xf7;
/** Markers that define tables (DHT and DAC), although they lie in the range of the frame markers. */
const tables = [0xc4, 0xcc];
/** Baseline, extended and progressive; browsers decode no other frames, such as those with arithmetic coding. */
const lastKnownFrame = 0xc2;
const scan = 0xda;
/** The marker of a segment that may contain EXIF data. */
const exifSegment = 0xe1;
const [firstRestart, startOfImage, endOfImage] = [0xd0, 0xd8, 0xd9];

const isFrame = (marker: number): boolean =>
  marker === losslessFrame || (marker >= 0xc0 && marker <= 0xcf && !tables.includes(marker));
/** A progressive JPEG usually has about ten scans, each of which may take as long to decode as a whole image. */
const maxScans = 100;
/** Markers without a segment. */
const isAlone = (marker: number): boolean => marker < 0xc0 || (marker >= firstRestart && marker <= startOfImage);

export interface JpegHead {
  readonly width: number;
  readonly height: number;
  /**
   * The orientation in the first EXIF data before the scans; undefined if the scans, and thus further EXIF data or another
   * frame, are in bytes that are missing.
   */
  readonly orientation: number | undefined;
}

/** The orientation that a segment contains, without its marker. */
const orientationIn = (segment: Buffer): number | undefined =>
  segment.toString('latin1', 2, 2 + exifPrefix.length) === exifPrefix
    ? exifOrientation(segment.subarray(2 + exifPrefix.length))
    : undefined;

/**
 * Reads the segments of a JPEG, and the markers within its scans. Undefined if it has very many scans, no frame, several
 * frames, or one of another kind: decoders differ in which frame they show.
 */
export function jpegHead(bytes: Buffer): JpegHead | undefined {
  let size: Pick<JpegHead, 'width' | 'height'> | undefined;
  let orientation: number | undefined;
  let [isInScan, scans] = [false, 0];
  for (let at = 2; ; ) {
    const found = bytes.indexOf(0xff, at);
    const marker = found < 0 ? endOfImage : (bytes[found + 1] ?? endOfImage);
    if (!isInScan && found >= 0 && found !== at) return undefined;
    if (marker === endOfImage || found + 4 > bytes.length)
      return size && { ...size, orientation: scans > 0 ? (orientation ?? upright) : undefined };
    // Any number of fill bytes (0xFF) may precede a marker.
    at = marker === 0xff ? found + 1 : found + 2;
    if (marker === 0xff || (isInScan && isAlone(marker))) continue;
    const length = bytes.readUInt16BE(at);
    if (isAlone(marker) || length < 2) return undefined;
    if (isFrame(marker)) {
      if (size || marker > lastKnownFrame || at + 7 > bytes.length) return undefined;
      size = { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) };
    }
    isInScan = marker === scan;
    if (isInScan) scans += 1;
    if (scans > maxScans) return undefined;
    if (scans === 0 && marker === exifSegment && at + length <= bytes.length) {
      orientation ??= orientationIn(bytes.subarray(at, at + length));
    }
    at += length;
  }
}
