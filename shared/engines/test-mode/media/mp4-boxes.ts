/** The boxes of an MP4 file whose tracks alternate, so that it can be played while it is downloaded. */

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
  /** The size of the video in pixels; 0 for audio. */
  readonly width: number;
  readonly height: number;
  /** The units of time per second, and how many of them each sample lasts. */
  readonly timescale: number;
  readonly sampleDuration: number;
  readonly samples: readonly Uint8Array[];
  /** The numbers of the key frames, from which decoding can begin; undefined if that is every sample. */
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

interface Chunk {
  readonly samples: readonly Uint8Array[];
  readonly bytes: number;
}

/** The chunks of a track, each with the samples of about a second. */
function chunksOf({ samples, sampleDuration, timescale }: Mp4Track): readonly Chunk[] {
  const size = Math.round(timescale / sampleDuration);
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const own = samples.slice(index * size, (index + 1) * size);
    return { samples: own, bytes: own.reduce((sum, { length }) => sum + length, 0) };
  });
}

/** All chunks in the order of the file, and the offsets of those of each track. */
function arranged(tracks: readonly Mp4Track[], start: number) {
  const lists = tracks.map(chunksOf);
  const offsets: number[][] = tracks.map(() => []);
  const order: Chunk[] = [];
  let offset = start;
  for (let index = 0; index < Math.max(...lists.map(({ length }) => length)); index += 1) {
    for (const [track, chunks] of lists.entries()) {
      const chunk = chunks[index];
      if (!chunk) continue;
      offsets[track]?.push(offset);
      order.push(chunk);
      offset += chunk.bytes;
    }
  }
  return { offsets, order };
}

/** How many samples the chunks have; the last one may have fewer. */
const chunkSizes = (track: Mp4Track): readonly number[] =>
  chunksOf(track).flatMap(({ samples }, index, all) =>
    samples.length === all[index - 1]?.samples.length ? [] : [index + 1, samples.length, 1],
  );

function sampleTable(track: Mp4Track, offsets: readonly number[]): Buffer {
  const { description, keys, sampleDuration, samples } = track;
  const sizes = chunkSizes(track);
  return box(
    'stbl',
    fullBox('stsd', 0, uint32(1), description),
    fullBox('stts', 0, uint32(1, samples.length, sampleDuration)),
    ...(keys ? [fullBox('stss', 0, uint32(keys.length, ...keys))] : []),
    fullBox('stsc', 0, uint32(sizes.length / 3, ...sizes)),
    fullBox('stsz', 0, uint32(0, samples.length, ...samples.map(({ length }) => length))),
    fullBox('stco', 0, uint32(offsets.length, ...offsets)),
  );
}

function trackBox(track: Mp4Track, id: number, offsets: readonly number[]): Buffer {
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
      box('minf', headers[kind], box('dinf', fullBox('dref', 0, uint32(1), file)), sampleTable(track, offsets)),
    ),
  );
}

function movieBox(tracks: readonly Mp4Track[], offsets: readonly (readonly number[])[]): Buffer {
  const boxes = tracks.map((track, index) => trackBox(track, index + 1, offsets[index] ?? []));
  const duration = Math.max(...tracks.map(milliseconds));
  const header = [uint32(0, 0, movieTimescale, duration, one), uint16(0x100, 0), uint32(0, 0), identity];
  return box('moov', fullBox('mvhd', 0, ...header, uint32(0, 0, 0, 0, 0, 0, tracks.length + 1)), ...boxes);
}

/** An MP4 file, which begins with its index. */
export function mp4File(tracks: readonly Mp4Track[]): Uint8Array {
  const type = box('ftyp', text('isom'), uint32(0x200), text('isomavc1mp41'));
  // The length of the index does not depend on the offsets in it.
  const start = type.length + movieBox(tracks, arranged(tracks, 0).offsets).length + 8;
  const { offsets, order } = arranged(tracks, start);
  return Buffer.concat([type, movieBox(tracks, offsets), box('mdat', ...order.flatMap(({ samples }) => samples))]);
}
