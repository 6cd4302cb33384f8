/**
 * MP4 files with modified boxes. The media data comes before the index, so that a change of the index's size moves no
 * sample.
 */

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'udta', 'mvex', 'moof', 'traf']);

export function boxOf(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Returns the bytes that replace a box, from its content. */
type Change = (content: Buffer) => Buffer;

/** The same file with some boxes replaced, by their paths, such as `moov/trak/edts`. */
export function changedMp4(bytes: Buffer, changes: Readonly<Record<string, Change>>, path = ''): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + size);
    const name = path === '' ? type : `${path}/${type}`;
    const change = changes[name];
    if (change) parts.push(change(content));
    else
      parts.push(
        containers.has(type) ? boxOf(type, changedMp4(content, changes, name)) : bytes.subarray(at, at + size),
      );
    at += size;
  }
  return Buffer.concat(parts);
}

/** Changes the four-byte number at a position in a box's content. */
export const withNumber =
  (type: string, at: number, change: (value: number) => number): Change =>
  (content) => {
    const copy = Buffer.from(content);
    copy.writeUInt32BE(change(copy.readUInt32BE(at)) >>> 0, at);
    return boxOf(type, copy);
  };

export const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value | 0, 4 * index);
  return bytes;
};

const table = 'moov/trak/mdia/minf/stbl';

/** An index that claims this many samples of one byte each, in two runs of its tables. */
export const manySamples = (bytes: Buffer, count: number, isConsistent: boolean): Buffer =>
  changedMp4(bytes, {
    [`${table}/stsz`]: () => boxOf('stsz', numbers(0, 1, count)),
    [`${table}/stts`]: () => boxOf('stts', numbers(0, 1, count, 1)),
    ...(isConsistent && {
      [`${table}/ctts`]: () => Buffer.alloc(0),
      [`${table}/stsc`]: () => boxOf('stsc', numbers(0, 1, 1, count, 1)),
      [`${table}/stco`]: () => boxOf('stco', numbers(0, 1, 48)),
    }),
  });

export const paths = {
  table,
  edits: 'moov/trak/edts',
  mediaHeader: 'moov/trak/mdia/mdhd',
  movieHeader: 'moov/mvhd',
} as const;

/** The playback speed of an edit that changes none. */
export const normalSpeed = 0x1_0000;

export const editsOf = (...entries: readonly (readonly [duration: number, from: number, rate: number])[]) =>
  boxOf('edts', boxOf('elst', numbers(0, entries.length, ...entries.flat())));
