/**
 * Matroska files whose packets contain more audio than their timestamps declare, and Ogg files with too many streams.
 */
import { framesOf } from './frames-of.ts';
import type { Lie } from './lie.ts';
import { blockOf, clusterTime, element, float, hex, matroskaOf, type Sound } from './made-matroska.ts';
import type { MediaName } from './made-media.ts';

type Files = ReadonlyMap<MediaName, Buffer>;

/** The frames of the AAC, with their headers. */
const adtsFrames = (files: Files): readonly Buffer[] => framesOf(files.get('tone.aac') ?? Buffer.alloc(0));
const mp3Frames = (files: Files): readonly Buffer[] => framesOf(files.get('bare.mp3') ?? Buffer.alloc(0));
const aacFrames = (files: Files): readonly Buffer[] => adtsFrames(files).map((frame) => frame.subarray(7));

/** The frames of a FLAC file, which is split at the bytes with which every frame begins. */
function flacFrames(files: Files): readonly Buffer[] {
  const bytes = files.get('tone.flac') ?? Buffer.alloc(0);
  const first = bytes.indexOf('fff8', 0, 'hex');
  const mark = bytes.subarray(first, first + 4);
  const starts: number[] = [];
  for (let at = first; at >= 0; at = bytes.indexOf(mark, at + 4)) starts.push(at);
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

const aac: Sound = { codec: 'A_AAC', setup: hex('1208'), rate: 44_100 };
const mp3: Sound = { ...aac, codec: 'A_MPEG/L3' };
const opusHead = hex('4f707573486561640101000080bb0000000000');
const opus: Sound = { codec: 'A_OPUS', setup: opusHead, rate: 48_000 };
const flacOf = (files: Files): Sound => ({
  codec: 'A_FLAC',
  setup: files.get('tone.flac')?.subarray(0, 42) ?? Buffer.alloc(0),
  rate: 44_100,
});
const frameMs = (samples: number): number => (samples / 44_100) * 1000;

/** Blocks with a given number of packets each, which follow each other at the declared interval. */
const blocks = (packets: readonly Buffer[], inBlock: number, everyMs: number): readonly Buffer[] =>
  Array.from({ length: Math.floor(packets.length / inBlock) }, (_, block) =>
    blockOf({ atMs: Math.round(block * everyMs), packets: packets.slice(block * inBlock, (block + 1) * inBlock) }),
  );

/** The same packets, some of which are merged into one. */
const packed = (packets: readonly Buffer[], count: number): readonly Buffer[] =>
  Array.from({ length: Math.floor(packets.length / count) }, (_, index) =>
    Buffer.concat(packets.slice(index * count, (index + 1) * count)),
  );

const made = (title: string, make: (files: Files) => Buffer, outcome: Lie['outcome']): Lie => ({
  title,
  of: 'tone.mka',
  make: (_, files) => make(files),
  outcome,
});

const begin = clusterTime(0);
const declares = /^declares \d\.\d seconds of sound, but contains \d+\.\d/;

const depth = (bits: number): Buffer => element('6264', Buffer.from([bits]));
const plain: Sound = { codec: 'A_PCM/INT/LIT', setup: Buffer.alloc(0), rate: 8000, audio: [depth(16)] };

/** A second of PCM samples with other descriptions of their format. */
const plainOf = (title: string, sound: Partial<Sound>, outcome: Lie['outcome']): Lie =>
  made(
    title,
    () => matroskaOf({ ...plain, ...sound }, begin, blockOf({ atMs: 0, packets: [Buffer.alloc(16_000, 1)] })),
    outcome,
  );

const pictureOf = (number: number): Buffer =>
  element('ae', element('d7', Buffer.from([number])), element('83', hex('01')), element('86', Buffer.from('V_VP8')));

const plainLies: readonly Lie[] = [
  plainOf('PCM samples', {}, 1),
  plainOf(
    'PCM samples that are played at a lower rate',
    { audio: [depth(16), element('78b5', float(1000))] },
    /^is played at another rate/,
  ),
  plainOf('PCM samples of an impossible bit depth', { audio: [depth(64)] }, /A_PCM/),
  plainOf('PCM samples with a fractional rate', { rate: 8000.5 }, /^is not readable$/),
  plainOf('a track with its own time scale', { track: [element('23314f', float(2))] }, /^has a track with a clock/),
  plainOf('two video tracks', { others: [2, 3].map(pictureOf) }, /^has two pictures$/),
  made(
    'several pictures in one block',
    () => {
      const isPicture = [element('83', hex('01')), element('86', Buffer.from('V_VP8'))];
      return matroskaOf({ ...plain, track: isPicture }, begin, blockOf({ atMs: 0, packets: [hex('00'), hex('00')] }));
    },
    /^has several pictures in a block$/,
  ),
  plainOf(
    'bytes stripped only from its codec description',
    {
      track: [
        element(
          '6d80',
          element(
            '6240',
            element('5032', hex('02')),
            element('5034', element('4254', hex('03')), element('4255', hex('01'))),
          ),
        ),
      ],
    },
    /compressed packets/,
  ),
];

const packetLies: readonly Lie[] = [
  ...plainLies,
  made(
    'a packet for each AAC frame',
    (files) => matroskaOf(aac, begin, ...blocks(aacFrames(files), 1, frameMs(1024))),
    6,
  ),
  made(
    'four packets in each block',
    (files) => matroskaOf(aac, begin, ...blocks(aacFrames(files), 4, frameMs(4096))),
    6,
  ),
  made(
    'four packets in each block that count as one',
    (files) => matroskaOf(aac, begin, ...blocks(aacFrames(files), 4, frameMs(1024))),
    declares,
  ),
  made(
    'two AAC frames in each packet',
    (files) => matroskaOf(aac, begin, ...blocks(packed(aacFrames(files), 2), 1, frameMs(1024))),
    /^has sound with more than one frame in a packet$/,
  ),
  made(
    'more bytes of AAC in a packet than a frame can have',
    () => matroskaOf(aac, begin, blockOf({ atMs: 0, packets: [Buffer.alloc(769, 1)] })),
    /^has sound with more than one frame in a packet$/,
  ),
  made(
    'AAC packets whose headers state another rate',
    (files) => matroskaOf(aac, begin, ...blocks(adtsFrames(files), 1, frameMs(1024))),
    /^has sound with headers of its own in its packets: export it again$/,
  ),
  made(
    'a FLAC frame in each packet',
    (files) => matroskaOf(flacOf(files), begin, ...blocks(flacFrames(files), 1, frameMs(4608))),
    6,
  ),
  made(
    'ten FLAC frames in each packet',
    (files) => matroskaOf(flacOf(files), begin, ...blocks(packed(flacFrames(files), 10), 1, frameMs(4608))),
    declares,
  ),
  made(
    'an MP3 frame in each packet',
    (files) => matroskaOf(mp3, begin, ...blocks(mp3Frames(files), 1, frameMs(1152))),
    6,
  ),
  made(
    'three MP3 frames in each packet',
    (files) => matroskaOf(mp3, begin, ...blocks(packed(mp3Frames(files), 3), 1, frameMs(1152))),
    declares,
  ),
  made(
    'Opus packets that last six times as long',
    () =>
      matroskaOf(
        opus,
        begin,
        ...blocks(
          Array.from({ length: 300 }, () => hex('0b06ff')),
          1,
          20,
        ),
      ),
    declares,
  ),
  made(
    'MP3 frames inside AAC frames',
    (files) => {
      const frames = mp3Frames(files).map((frame) => {
        const head = hex('fff15040001ffc');
        head.writeUIntBE((0x40 << 16) | ((frame.length + 7) << 5) | 0x1f, 3, 3);
        return Buffer.concat([head, frame]);
      });
      return matroskaOf(mp3, begin, ...blocks(frames, 1, frameMs(1024)));
    },
    /^has packets that are no frames$/,
  ),
  made(
    'MP3 packets that begin with other bytes',
    (files) =>
      matroskaOf(
        mp3,
        begin,
        ...blocks(
          mp3Frames(files).map((frame) => Buffer.concat([Buffer.alloc(1), frame])),
          1,
          frameMs(1152),
        ),
      ),
    /^has packets that are no frames$/,
  ),
  made(
    'a cluster with two start times',
    (files) => matroskaOf(aac, begin, ...blocks(aacFrames(files), 1, 1), clusterTime(90_000)),
    /^has a cluster with two times$/,
  ),
  made(
    'media before the start time of its cluster',
    (files) => matroskaOf(aac, ...blocks(aacFrames(files), 1, 1), begin),
    /^has a cluster with media before its time$/,
  ),
];

/** Pages that each begin another stream. */
function manyStreams(bytes: Buffer): Buffer {
  const first = bytes.subarray(0, bytes.indexOf('OggS', 4));
  return Buffer.concat(
    Array.from({ length: 1025 }, (_, serial) => {
      const page = Buffer.from(first);
      page.writeUInt32LE(serial, 14);
      return page;
    }),
  );
}

export const packedLies: readonly Lie[] = [
  ...packetLies,
  { title: 'more than 1,024 streams', of: 'opus.ogg', make: manyStreams, outcome: /^is too complex/ },
];
