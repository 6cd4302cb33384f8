/**
 * Media files with structural mutations: of sizes, counts, timings, nesting and order, with duplicates and chained
 * files.
 */
import { filled, filledPlaces, fills } from '../../support/media/filled-media.ts';
import { makeMedia } from '../../support/media/made-media.ts';
import { sealed } from '../../support/media/ogg-pages.ts';
import type { Numbers } from '../../support/seeded-numbers.ts';
import { tinyPng, tinyWebp } from '../../support/tiny-image.ts';

/** Files of all formats, by their names. */
export async function honestFiles(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const { default: sharp } = await import('sharp');
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#888' } });
  const images = [
    ['a.jpg', await image.jpeg().toBuffer()],
    ['a.png', tinyPng(64, 48)],
    ['a.webp', tinyWebp],
  ] as const;
  return [...(await makeMedia()), ...images];
}

/**
 * Markers of media formats: names of boxes, chunks, pages and blocks, and ids of elements. Sizes and counts are close
 * to them.
 */
const marks = [
  'moov',
  'trak',
  'mdhd',
  'mvhd',
  'tkhd',
  'elst',
  'stsd',
  'stts',
  'ctts',
  'stsc',
  'stsz',
  'stco',
  'moof',
  'tfhd',
  'trun',
  'tfdt',
  'trex',
  'mdat',
  'esds',
  'alac',
  'fmt ',
  'data',
  'ds64',
  'RIFF',
  'OggS',
  'OpusHead',
  'vorbis',
  'fLaC',
  'Xing',
  'Info',
  'ID3',
  'IHDR',
  'IEND',
  'VP8 ',
  'A_OPUS',
  '\xff\xfb',
  '\xff\xf8',
  '\xff\xd8',
  '\xff\xc0',
  '\x1a\x45\xdf\xa3',
  '\x15\x49\xa9\x66',
  '\x2a\xd7\xb1',
  '\x44\x89',
  '\x16\x54\xae\x6b',
  '\x1f\x43\xb6\x75',
  '\xa3',
  '\xe7',
  '\xae',
  '\x1c\x53\xbb\x6b',
  '\x63\xa2',
].map((mark) => Buffer.from(mark, 'latin1'));

const extremes = [0, 1, 2, 7, 0x7f, 0xff, 0x100, 0xffff, 0x1_0000, 10_000_000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/** A random position: close to a marker of a media format if the file contains it, otherwise anywhere. */
function placeIn(bytes: Buffer, numbers: Numbers): number {
  const mark = marks[numbers(marks.length)];
  const from = numbers(bytes.length);
  const found = mark ? [bytes.indexOf(mark, from), bytes.indexOf(mark)].find((at) => at >= 0) : undefined;
  return found === undefined ? from : Math.max(0, Math.min(bytes.length - 1, found + numbers(40) - 8));
}

type Mutation = (bytes: Buffer, numbers: Numbers, other: Buffer) => Buffer;

const slice = (bytes: Buffer, numbers: Numbers): readonly [number, number] => {
  const from = placeIn(bytes, numbers);
  return [from, Math.min(bytes.length, from + 1 + numbers([8, 100, 5000, bytes.length][numbers(4)] ?? 1))];
};

const mutations: readonly Mutation[] = [
  (bytes, numbers) => {
    const at = placeIn(bytes, numbers);
    if (at + 4 > bytes.length) return bytes;
    const value = extremes[numbers(extremes.length)] ?? 0;
    if (numbers(3) === 0) bytes.writeUInt32LE(value, at);
    else bytes.writeUInt32BE(value, at);
    return bytes;
  },
  (bytes, numbers) => {
    bytes[placeIn(bytes, numbers)] = numbers(256);
    return bytes;
  },
  (bytes, numbers) => {
    const at = placeIn(bytes, numbers);
    if (at + 4 > bytes.length) return bytes;
    const factor = [2, 60, 1000, 1 / 2, 1 / 60, 1 / 1000][numbers(6)] ?? 1;
    bytes.writeUInt32BE(Math.floor(bytes.readUInt32BE(at) * factor) >>> 0, at);
    return bytes;
  },
  // Copies a part of the file to another place, also inside other parts.
  (bytes, numbers) => {
    const part = bytes.subarray(...slice(bytes, numbers));
    const at = placeIn(bytes, numbers);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  },
  (bytes, numbers) => {
    const [from, to] = slice(bytes, numbers);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, numbers) => bytes.subarray(0, 1 + placeIn(bytes, numbers)),
  (bytes, _, other) => Buffer.concat([bytes, other]),
  (bytes, numbers, other) => {
    const at = placeIn(bytes, numbers);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(placeIn(other, numbers))]);
  },
  (bytes, numbers) => {
    const times = 2 + numbers(20);
    const part = bytes.subarray(...slice(bytes, numbers)).subarray(0, 20_000);
    return Buffer.concat([bytes, ...Array.from({ length: times }, () => part)]);
  },
];

const places = Object.values(filledPlaces);

/**
 * Files of 2 to 25 MB filled with a few repeated bytes: in one of the places where a reader searches, or after the
 * beginning of a correct file.
 */
function filledFile(honest: Buffer, numbers: Numbers): Buffer {
  const content = filled((2 + numbers(23)) * 2 ** 20, fills[numbers(fills.length)] ?? '00');
  const make = places[numbers(2 * places.length)];
  return make ? make(content) : Buffer.concat([honest.subarray(0, 1 + placeIn(honest, numbers)), content]);
}

/** How many of the files are large: few, because these take longer than all others. */
const filesPerFilled = 200;

/** One of the files with up to five mutations, and for half of them with the right checksums in its Ogg pages. */
export function mutatedFile(files: readonly (readonly [string, Buffer])[], numbers: Numbers): Buffer {
  const pick = () => files[numbers(files.length)]?.[1] ?? Buffer.alloc(0);
  if (numbers(filesPerFilled) === 0) return filledFile(pick(), numbers);
  let bytes: Buffer = Buffer.from(pick());
  for (let left = 1 + numbers(5); left > 0 && bytes.length > 0; left -= 1) {
    const mutate = mutations[numbers(mutations.length)];
    if (mutate) bytes = Buffer.from(mutate(bytes, numbers, pick()));
  }
  // Most pages of an Ogg are read no further if their checksums are wrong.
  return numbers(2) === 0 ? bytes : sealed(bytes);
}
