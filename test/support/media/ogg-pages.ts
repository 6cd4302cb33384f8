/** Finds, makes and seals the pages of an Ogg. */
import { checksumAt, oggChecksum } from '../../../shared/media-files/ogg-checksum.ts';

const headBytes = 27;

/** The positions of all pages. */
export function pagesOf(bytes: Buffer): number[] {
  const pages: number[] = [];
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 1)) pages.push(at);
  return pages;
}

/** The end of the page at a position. */
export function endOf(bytes: Buffer, at: number): number {
  const end = at + headBytes + bytes.readUInt8(at + headBytes - 1);
  return bytes.subarray(at + headBytes, end).reduce((sum, length) => sum + length, end);
}

/** The file with the right checksum in each of its pages, as if another program had written it. */
export function sealed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at + headBytes <= copy.length && copy.toString('latin1', at, at + 4) === 'OggS'; ) {
    const end = Math.min(endOf(copy, at), copy.length);
    copy.writeUInt32LE(oggChecksum(copy.subarray(at, end)), at + checksumAt);
    at = end;
  }
  return copy;
}

/** The segment lengths of a packet. */
const lengthsOf = ({ length }: Buffer): Buffer =>
  Buffer.from([...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255]);

/** A page without a checksum; its content is one packet if no segment lengths are given. */
export function oggPage(content: Buffer, { flags = 0, serial = 0, lengths = lengthsOf(content) } = {}): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write('OggS');
  head[5] = flags;
  head.writeUInt32LE(serial, 14);
  head[headBytes - 1] = lengths.length;
  return Buffer.concat([head, lengths, content]);
}
