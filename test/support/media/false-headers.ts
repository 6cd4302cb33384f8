/** Ogg and Matroska files in which the codec's headers declare something else than decoders read. */
import type { Lie } from './lie.ts';
import { blockOf, clusterTime, hex, matroskaOf } from './made-matroska.ts';

/** The packets of an Ogg file. */
function packetsOf(bytes: Buffer): readonly Buffer[] {
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let page = 0; page < bytes.length; ) {
    const count = bytes[page + 26] ?? 0;
    let at = page + 27 + count;
    for (const length of bytes.subarray(page + 27, at)) {
      parts.push(bytes.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(parts));
      parts = [];
    }
    page = at;
  }
  return packets;
}

/** An Ogg file with one stream and a page for each packet. */
const oggOf = (...packets: readonly Buffer[]): Buffer =>
  Buffer.concat(
    packets.flatMap((packet, index) => {
      const head = Buffer.alloc(27);
      head.write('OggS');
      head[5] = index === 0 ? 2 : 0;
      const table = Buffer.alloc(Math.floor(packet.length / 255) + 1, 255);
      table[table.length - 1] = packet.length % 255;
      head[26] = table.length;
      return [head, table, packet];
    }),
  );

/** A list of modes of which the first has long blocks, after Vorbis' setup header. */
const secondModes = hex('ffff000000000080');

const laced = (packet: Buffer): Buffer =>
  Buffer.from([...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255]);

const inMatroska = (setup: (packet: Buffer) => Buffer) => (bytes: Buffer) => {
  const [first = bytes, comments = bytes, last = bytes, ...rest] = packetsOf(bytes);
  const headers = Buffer.concat([hex('02'), laced(first), laced(comments), first, comments, setup(last)]);
  const blocks = rest.map((packet, index) => blockOf({ atMs: Math.round((index * 1024) / 44.1), packets: [packet] }));
  return matroskaOf({ codec: 'A_VORBIS', setup: headers, rate: 44_100 }, clusterTime(0), ...blocks);
};

const goesOn = /^has a setup of Vorbis that goes on behind its end$/;

const vorbisLies: readonly Lie[] = [
  {
    title: 'a second list of modes after the Vorbis setup',
    of: 'vorbis.ogg',
    make: (bytes) => {
      const [first = bytes, comments = bytes, setup = bytes, ...rest] = packetsOf(bytes);
      return oggOf(first, comments, Buffer.concat([setup, secondModes]), ...rest);
    },
    outcome: goesOn,
  },
  {
    title: 'a second list of modes after the Vorbis setup, in Matroska',
    of: 'vorbis.ogg',
    make: inMatroska((setup) => Buffer.concat([setup, secondModes])),
    outcome: goesOn,
  },
  {
    title: 'zeros after the Vorbis setup',
    of: 'vorbis.ogg',
    make: inMatroska((setup) => Buffer.concat([setup, Buffer.alloc(9)])),
    outcome: 6,
  },
  {
    title: 'a Vorbis setup that ends too early',
    of: 'vorbis.ogg',
    make: inMatroska((setup) => setup.subarray(0, -9)),
    outcome: /^is not readable$/,
  },
];

function speexHead(rate: number, mode: number): Buffer {
  const head = Buffer.alloc(80);
  head.write('Speex   ');
  for (const [at, value] of [
    [36, rate],
    [40, mode],
    [48, 1],
    [56, rate / 50],
    [64, 1],
  ] as const)
    head.writeUInt32LE(value, at);
  return head;
}

const speex = (rate: number, mode: number) => () =>
  oggOf(speexHead(rate, mode), Buffer.alloc(8), ...Array.from({ length: 300 }, () => Buffer.alloc(20)));

export const headerLies: readonly Lie[] = [
  ...vorbisLies,
  { title: 'Speex in a mode with another rate', of: 'opus.ogg', make: speex(8000, 2), outcome: /measured \(Speex\)$/ },
  {
    title: 'a video stream',
    of: 'opus.ogg',
    make: () => oggOf(Buffer.concat([hex('80'), Buffer.from('theora'), Buffer.alloc(40)])),
    outcome: /^contains a picture in a codec whose duration cannot be measured \(Theora\)$/,
  },
];
