/**
 * Media files of several megabytes filled with a few repeated bytes, one for each place where a reader searches for
 * something: they show whether a search can take too long.
 */
import { hex, matroskaOf } from './made-matroska.ts';
import { oggPage, sealed } from './ogg-pages.ts';

/** Bytes that look like the beginnings of frames, markers and tags, and bytes that look like nothing. */
export const fills = [
  '00',
  'ff',
  'fffb9000',
  'fff15080',
  'fff8',
  'fff8c908000042',
  '0b77',
  '0b7700005000',
  '56e000',
  '7f',
  '7ffe80',
  '49',
  '494433',
  '4944330400000000000000',
  '544147',
  '415045',
  'ec80',
  '65736473',
  'a38481000080',
] as const;

export const filled = (bytes: number, fill: string): Buffer => Buffer.alloc(bytes, hex(fill));

const mp3Frame = Buffer.concat([hex('fffb9000'), Buffer.alloc(413)]);

/** A four-byte number, with the least significant byte first. */
function little(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function big(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const apeTag = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('APETAGEX'),
    little(2000),
    little(content.length),
    hex('00000000000000a0'),
    Buffer.alloc(8),
    content,
  ]);

const wavHead = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
  little(16),
  hex('01000100'),
  little(192_000),
  little(384_000),
  hex('02001000'),
]);

const wavChunk = (content: Buffer): Buffer => Buffer.concat([Buffer.from('data'), little(content.length), content]);

/** The content in parts of a given size, each of which is wrapped. */
function parts(content: Buffer, bytes: number, wrap: (part: Buffer, index: number) => Buffer): Buffer {
  const count = Math.ceil(content.length / bytes);
  const part = (index: number) => wrap(content.subarray(index * bytes, (index + 1) * bytes), index);
  return Buffer.concat(Array.from({ length: count }, (_, index) => part(index)));
}

const flacHead = hex('664c6143800000221000100000000000000 00ac442f000000000'.replaceAll(' ', ''));
const flacSetup = Buffer.concat([flacHead, Buffer.alloc(42 - flacHead.length)]);

const box = (type: string, content: Buffer): Buffer =>
  Buffer.concat([big(8 + content.length), Buffer.from(type, 'latin1'), content]);

const oggFlacHead = Buffer.concat([hex('7f464c41430100'), hex('0001'), flacSetup]);
const oggBegin = sealed(oggPage(oggFlacHead, { flags: 2 }));

/** Puts the content in a block of a track with the given codec. */
function inMatroska(codec: string, setup: Buffer, content: Buffer): Buffer {
  const blocks = parts(content, 2 ** 20, (part) => {
    const body = Buffer.concat([hex('81000080'), part]);
    return Buffer.concat([hex('a308'), big(body.length), body]);
  });
  return matroskaOf({ codec, setup, rate: 44_100 }, hex('e78100'), blocks);
}

/** The files, by the place that is filled with the repeated bytes. */
export const filledPlaces: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  'a tag before an MP3': (content) => Buffer.concat([apeTag(content), mp3Frame]),
  'a tag behind an MP3': (content) => Buffer.concat([mp3Frame, apeTag(content)]),
  'what follows a frame of an MP3': (content) => Buffer.concat([mp3Frame, content]),
  'the samples of a WAV': (content) => Buffer.concat([wavHead, wavChunk(content)]),
  'the samples of a WAV in many chunks': (content) => Buffer.concat([wavHead, parts(content, 65_528, wavChunk)]),
  'the frames of a FLAC': (content) => Buffer.concat([flacSetup, content]),
  'the packets of an Ogg': (content) =>
    Buffer.concat([
      oggBegin,
      parts(content, 65_025, (part) =>
        oggPage(part, { flags: 1, lengths: Buffer.alloc(Math.ceil(part.length / 255), 255) }),
      ),
    ]),
  'the table of pages of an Ogg': (content) =>
    Buffer.concat([
      oggBegin,
      parts(content, 255, (part) => oggPage(Buffer.alloc(0), { lengths: Buffer.alloc(part.length) })),
    ]),
  'the FLAC in a Matroska': (content) => inMatroska('A_FLAC', flacSetup, content),
  'the MP3 in a Matroska': (content) => inMatroska('A_MPEG/L3', Buffer.alloc(0), content),
  'the elements of a Matroska': (content) =>
    matroskaOf({ codec: 'A_AAC', setup: hex('1208'), rate: 44_100 }, hex('e78100'), content),
  'an unknown box of an MP4': (content) => Buffer.concat([box('ftyp', Buffer.from('isom')), box('abcd', content)]),
  'the index of an MP4': (content) =>
    Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', box('udta', content))]),
  'a list of media in an MP4': (content) =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box(
        'moov',
        box(
          'trak',
          box(
            'mdia',
            Buffer.concat([
              box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0text', 'latin1')),
              box('minf', box('stbl', box('stsd', Buffer.concat([big(0), big(1), box('text', content)])))),
            ]),
          ),
        ),
      ),
    ]),
};
