/** The boxes of an MP4 file whose tracks have one chunk each. */

export const uint16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
};

export const uint32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

export function box(name: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([uint32(content.length + 8), text(name), content]);
}

/** A box with a version, which is 0, and flags. */
export const fullBox = (name: string, flags: number, ...contents: readonly Uint8Array[]): Buffer =>
  box(name, uint32(flags), ...contents);

const one = 0x10000;
const identity = uint32(one, 0, 0, 0, one, 0, 0, 0, 0x40000000);

export interface Mp4Track {
  readonly kind: 'vide' | 'soun';
  /** The size of the picture; 0 for sound. */
  readonly width: number;
  readonly height: number;
  /** The units of time per second, and how many of them each sample lasts. */
  readonly timescale: number;
  readonly sampleDuration: number;
  readonly samples: readonly Uint8Array[];
  /** The positions of the samples from which decoding can begin; undefined for all. */
  readonly keys?: readonly number[];
  readonly description: Uint8Array;
}

const headers: Readonly<Record<Mp4Track['kind'], Buffer>> = {
  vide: fullBox('vmhd', 1, uint16(0, 0, 0, 0)),
  soun: fullBox('smhd', 0, uint16(0, 0)),
};

/** Durations of whole files and tracks are in milliseconds. */
const movieTimescale = 1000;

const milliseconds = ({ samples, sampleDuration, timescale }: Mp4Track): number =>
  Math.round((samples.length * sampleDuration * movieTimescale) / timescale);

const sampleTable = ({ description, keys, sampleDuration, samples }: Mp4Track, offset: number): Buffer =>
  box(
    'stbl',
    fullBox('stsd', 0, uint32(1), description),
    fullBox('stts', 0, uint32(1, samples.length, sampleDuration)),
    ...(keys ? [fullBox('stss', 0, uint32(keys.length, ...keys))] : []),
    fullBox('stsc', 0, uint32(1, 1, samples.length, 1)),
    fullBox('stsz', 0, uint32(0, samples.length, ...samples.map(({ length }) => length))),
    fullBox('stco', 0, uint32(1, offset)),
  );

function trackBox(track: Mp4Track, id: number, offset: number): Buffer {
  const { kind, width, height, timescale, sampleDuration, samples } = track;
  const volume = kind === 'soun' ? 0x100 : 0;
  // The language is "und" for undetermined.
  const language = uint16(0x55c4, 0);
  const file = fullBox('url ', 1);
  return box(
    'trak',
    fullBox(
      'tkhd',
      3,
      uint32(0, 0, id, 0, milliseconds(track), 0, 0),
      uint16(0, 0, volume, 0),
      identity,
      uint32(width * one, height * one),
    ),
    box(
      'mdia',
      fullBox('mdhd', 0, uint32(0, 0, timescale, samples.length * sampleDuration), language),
      fullBox('hdlr', 0, uint32(0), text(kind), uint32(0, 0, 0), text('\0')),
      box('minf', headers[kind], box('dinf', fullBox('dref', 0, uint32(1), file)), sampleTable(track, offset)),
    ),
  );
}

function movieBox(tracks: readonly Mp4Track[], start: number): Buffer {
  let offset = start;
  const boxes = tracks.map((track, index) => {
    const made = trackBox(track, index + 1, offset);
    offset += track.samples.reduce((sum, { length }) => sum + length, 0);
    return made;
  });
  const duration = Math.max(...tracks.map(milliseconds));
  const header = [uint32(0, 0, movieTimescale, duration, one), uint16(0x100, 0), uint32(0, 0), identity];
  return box('moov', fullBox('mvhd', 0, ...header, uint32(0, 0, 0, 0, 0, 0, tracks.length + 1)), ...boxes);
}

/** An MP4 file, which begins with its index. */
export function mp4File(tracks: readonly Mp4Track[]): Uint8Array {
  const type = box('ftyp', text('isom'), uint32(0x200), text('isomavc1mp41'));
  // The length of the index does not depend on the offsets in it.
  const start = type.length + movieBox(tracks, 0).length + 8;
  const media = box('mdat', ...tracks.flatMap(({ samples }) => samples));
  return Buffer.concat([type, movieBox(tracks, start), media]);
}
