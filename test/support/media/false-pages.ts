/** Ogg files with pages that decoders skip, or whose headers they replace. */
import { checksumAt } from '../../../shared/media-files/ogg-checksum.ts';
import { type Lie, tampered } from './lie.ts';
import { endOf, oggPage, pagesOf, sealed } from './ogg-pages.ts';

const breakPage = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(~copy.readUInt32LE(at + checksumAt) >>> 0, at + checksumAt);
  return copy;
};

/** The pages of the second half, in the contents of pages of an index with wrong checksums. */
function hidden(bytes: Buffer): Buffer {
  const pages = pagesOf(bytes);
  const half = pages[Math.ceil(pages.length / 2)] ?? 0;
  const index = Buffer.concat([Buffer.from('fishead\0'), Buffer.alloc(56)]);
  const first = endOf(bytes, 0);
  const carriers = pages
    .filter((at) => at >= half)
    .map((at) => breakPage(sealed(oggPage(bytes.subarray(at, endOf(bytes, at)), { serial: 5 })), 0));
  const begin = sealed(oggPage(index, { flags: 2, serial: 5 }));
  return Buffer.concat([bytes.subarray(0, first), begin, bytes.subarray(first, half), ...carriers]);
}

/** Like {@link hidden}, but the mark of each page begins at the end of the page before and ends behind it. */
function spanning(bytes: Buffer): Buffer {
  const pages = pagesOf(bytes);
  const half = pages[Math.ceil(pages.length / 2)] ?? 0;
  const carrier = breakPage(sealed(oggPage(Buffer.from('....Ogg'), { serial: bytes.readUInt32LE(14) })), 0);
  const parts = pages.filter((at) => at >= half).flatMap((at) => [carrier, bytes.subarray(at + 3, endOf(bytes, at))]);
  return Buffer.concat([bytes.subarray(0, half), ...parts]);
}

/** Another description with a higher sample rate before the one that decoders take. */
function describedTwice(bytes: Buffer): Buffer {
  const first = Buffer.from(bytes.subarray(0, endOf(bytes, 0)));
  first.writeUIntBE(0x2ee0_00, first.indexOf('fLaC') + 18, 3);
  const second = Buffer.from(bytes);
  second.writeUInt8(0, 5);
  return sealed(Buffer.concat([first, second]));
}

export const pageLies: readonly Lie[] = [
  {
    title: 'pages in the contents of skipped pages',
    of: 'vorbis.ogg',
    make: hidden,
    outcome: /^has pages inside of other pages$/,
    hasOwnChecksums: true,
  },
  {
    title: 'pages that begin at the end of skipped ones',
    of: 'vorbis.ogg',
    make: spanning,
    outcome: /^has pages inside of other pages$/,
    hasOwnChecksums: true,
  },
  {
    title: 'a header in a skipped page',
    of: 'opus.ogg',
    make: (bytes) => breakPage(bytes, 0),
    outcome: /^has headers with a wrong checksum$/,
    hasOwnChecksums: true,
  },
  { title: 'two descriptions of its FLAC', of: 'flac.ogg', make: describedTwice, outcome: /^describes itself twice$/ },
  {
    title: 'a FLAC description among its further headers',
    of: 'flac.ogg',
    make: tampered((copy) => {
      const second = pagesOf(copy)[1] ?? 0;
      copy.writeUInt8(0x80, second + 27 + copy.readUInt8(second + 26));
    }),
    outcome: /^describes itself twice$/,
  },
];
