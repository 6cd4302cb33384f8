/** Ogg files of several streams in a row, or of Speex, whose headers declare less than is played. */
import { type Lie, tampered } from './lie.ts';
import { pagesOf } from './ogg-pages.ts';

/** The stream with another serial number. */
const numbered = (number: number, bytes: Buffer): Buffer =>
  tampered((copy) => {
    for (const at of pagesOf(copy)) copy.writeUInt32LE(number, at + 14);
  })(bytes);

/** The stream four times in a row, each time with another serial number. */
const chained = (change: (copy: Buffer) => void) => (bytes: Buffer) =>
  Buffer.concat([7, 8, 9, 10].map((number) => tampered(change)(numbered(number, bytes))));

const endsEarly = (samples: bigint) => (copy: Buffer) => {
  const last = (pagesOf(copy).at(-1) ?? 0) + 6;
  copy.writeBigInt64LE(copy.readBigInt64LE(last) - samples, last);
};

/** Divides the granule position of every page by four. */
const slowed = tampered((copy) => {
  for (const at of pagesOf(copy)) copy.writeBigInt64LE(copy.readBigInt64LE(at + 6) / 4n, at + 6);
});

/** Writes a number at a position of the Speex header. */
const speexWith = (at: number, value: number) =>
  tampered((copy) => copy.writeUInt32LE(value, copy.indexOf('Speex   ') + at));

export const chainLies: readonly Lie[] = [
  {
    title: 'four streams whose beginnings are not played',
    of: 'opus.ogg',
    make: chained((copy) => copy.writeUInt16LE(64_000, copy.indexOf('OpusHead') + 10)),
    outcome: 22.7,
  },
  {
    title: 'four streams whose ends are not played',
    of: 'opus.ogg',
    make: chained(endsEarly(23_000n)),
    outcome: 23.6,
  },
  {
    title: 'four Vorbis streams whose ends are not played',
    of: 'vorbis.ogg',
    make: chained(endsEarly(20_000n)),
    outcome: 23.6,
  },
  {
    title: 'a FLAC stream of another sample rate after its own',
    of: 'flac.ogg',
    make: (bytes, files) => Buffer.concat([bytes, numbered(9, files.get('low-flac.ogg') ?? bytes)]),
    outcome: /^has streams of different formats/,
  },
  {
    title: 'four Speex streams',
    of: 'speex.ogg',
    make: chained(() => undefined),
    outcome: /\(Speex behind another stream\)$/,
  },
  { title: 'fifty Speex packets that are declared as headers', of: 'speex.ogg', make: speexWith(68, 50), outcome: 6 },
  {
    title: 'fewer declared Speex frames than its packets contain',
    of: 'speex.ogg',
    make: (bytes) => slowed(speexWith(64, 1)(bytes)),
    outcome: /^declares/,
  },
];
