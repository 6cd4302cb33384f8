/** Reads the orientation from EXIF data, in which cameras note how to rotate an image to display it. */

/** The orientation of an image that is displayed as it is stored. */
export const upright = 1;
const lastOrientation = 8;

/** In JPEG and often in WebP, these bytes precede the EXIF data. */
export const exifPrefix = 'Exif\0\0';

export const withoutPrefix = (data: Buffer): Buffer =>
  data.toString('latin1', 0, exifPrefix.length) === exifPrefix ? data.subarray(exifPrefix.length) : data;

const orientationTag = 0x0112;
const firstEntryAt = 2;
const entryBytes = 12;
const [byte, short, long] = [1, 3, 4];

/** The orientation in the first directory, or {@link upright} if it has none. */
export function exifOrientation(tiff: Buffer): number {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const number = (at: number, bytes: number): number => {
    if (at + bytes > tiff.length) return 0;
    return isLittleEndian ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  };
  const directory = number(4, 4);
  for (let entry = 0; entry < number(directory, 2); entry += 1) {
    const at = directory + firstEntryAt + entry * entryBytes;
    if (number(at, 2) !== orientationTag) continue;
    // Decoders accept every type of integer.
    const bytes = { [byte]: 1, [short]: 2, [long]: 4 }[number(at + 2, 2)];
    const value = bytes === undefined || number(at + 4, 4) === 0 ? upright : number(at + 8, bytes);
    return value >= upright && value <= lastOrientation ? value : upright;
  }
  return upright;
}
