/**
 * MP4 files in which decoders find a second description of the audio, which differs from that of its codec; each is
 * made from a correct file.
 */
import { boxOf, changedMp4, numbers, paths } from './changed-mp4.ts';
import { withEntry } from './false-boxes.ts';
import { type Lie, tampered } from './lie.ts';
import type { MediaName } from './made-media.ts';

const { table } = paths;

/** Audio descriptions in the form of other formats; their contents are never read. */
const wave = boxOf('wfex', Buffer.from('01000100401f0000401f00000100080000', 'hex'));
const strip = boxOf('strf', Buffer.alloc(42));
const dolby = (type: string): Buffer => boxOf(type, Buffer.from('100800200200', 'hex'));

type Place = 'entry' | 'stbl' | 'minf' | 'trak';
const containers = { stbl: table, minf: 'moov/trak/mdia/minf', trak: 'moov/trak' } as const;

const placed = (bytes: Buffer, place: Place, box: Buffer): Buffer =>
  place === 'entry'
    ? withEntry(bytes, (fixed, boxes) => [fixed, boxes, box])
    : changedMp4(bytes, { [containers[place]]: (content) => boxOf(place, content, box) });

const misplaced = (of: MediaName, box: Buffer, place: Place): Lie => {
  const type = box.toString('latin1', 4, 8);
  return {
    title: `a description ${type} in its ${place}`,
    of,
    make: (bytes) => placed(bytes, place, box),
    outcome: new RegExp(`^has a box ${type} in a box ${place}$`),
  };
};

/** A box inside the sample entry that configures another codec than that of the entry. */
const foreign = (of: MediaName, type: string): Lie => ({
  title: `the configuration ${type} of another codec`,
  of,
  make: (bytes) => placed(bytes, 'entry', dolby(type)),
  outcome: new RegExp(`^has the configuration ${type} of another codec$`),
});

/** A text track with an audio description inside or beside its sample entry. */
const texts = (place: 'entry' | 'stbl', outcome: RegExp): Lie => ({
  title: `a track of texts that has a description of sound in its ${place}`,
  of: 'tone.m4a',
  make: (bytes) =>
    changedMp4(bytes, {
      moov: (index) => {
        const at = index.indexOf('trak', 0, 'latin1') - 4;
        const track = index.subarray(at, at + index.readUInt32BE(at));
        const entry = boxOf('text', Buffer.alloc(28), place === 'entry' ? wave : Buffer.alloc(0));
        const other = changedMp4(boxOf('moov', track), {
          'moov/trak/mdia/hdlr': (content) =>
            boxOf('hdlr', content.subarray(0, 8), Buffer.from('text'), content.subarray(12)),
          [`${table}/stsd`]: () =>
            Buffer.concat([boxOf('stsd', numbers(0, 1), entry), place === 'stbl' ? wave : Buffer.alloc(0)]),
        });
        return boxOf('moov', index, other.subarray(8));
      },
    }),
  outcome,
});

const unmeasurablePicture = /^contains pictures in a codec whose duration cannot be measured/;

/** An MPEG-4 video sample entry that contains these boxes. */
const pictured = (title: string, box: Buffer, outcome: RegExp): Lie => ({
  title,
  of: 'silent.mp4',
  make: (bytes) =>
    changedMp4(bytes, {
      [`${table}/stsd`]: (content) => boxOf('stsd', numbers(0, 1), boxOf('mp4v', content.subarray(16, 16 + 78), box)),
    }),
  outcome,
});

/** A configuration that names the codec MP3, or a codec of pictures. */
const configured = (type: number): Buffer =>
  boxOf('esds', numbers(0), Buffer.from([3, 20, 0, 1, 0, 4, 15, type, ...Array(12).fill(0), 5, 0]));

/** Names that are those of MPEG-1, VC-1 and of no codec. */
const renamed = (name: string): Lie => ({
  title: `pictures in samples of ${name}`,
  of: 'silent.mp4',
  make: tampered((copy) => void copy.write(name, copy.lastIndexOf('avc1'), 'latin1')),
  outcome: unmeasurablePicture,
});

const channelList = (layout: number, bits: number, count: number): Buffer =>
  boxOf('chan', numbers(0, layout, bits, count), Buffer.alloc(20 * count));
const withoutList = tampered((copy) => copy.write('free', copy.indexOf('chan', copy.indexOf('stsd')), 'latin1'));
const twoWays = /^describes its plain samples in two ways$/;
const listed = (title: string, box: Buffer, outcome: Lie['outcome']): Lie => ({
  title,
  of: 'plain.mov',
  make: (bytes) => placed(withoutList(bytes), 'entry', box),
  outcome,
});

export const setupLies: readonly Lie[] = [
  ...(['entry', 'stbl', 'trak'] as const).map((place) => misplaced('tone.m4a', strip, place)),
  ...(['entry', 'stbl', 'minf'] as const).map((place) => misplaced('plain.mov', wave, place)),
  misplaced('lossless.m4a', boxOf('avcC', Buffer.alloc(40)), 'entry'),
  misplaced('lossless.m4a', boxOf('hvcC', Buffer.alloc(40)), 'entry'),
  misplaced('lossless.m4a', boxOf('dvc1', Buffer.from([0xc0]), Buffer.alloc(40)), 'entry'),
  misplaced('tone.m4a', boxOf('glbl', Buffer.alloc(40)), 'stbl'),
  misplaced('plain.mov', dolby('dec3'), 'stbl'),
  foreign('lossless.m4a', 'glbl'),
  foreign('plain.mov', 'dac3'),
  foreign('plain.mov', 'dec3'),
  foreign('plain.mov', 'esds'),
  foreign('lossless.m4a', 'esds'),
  {
    title: 'a wrapper that decoders take for the configuration of ALAC',
    of: 'lossless.m4a',
    make: (bytes) => withEntry(bytes, (fixed, boxes) => [fixed, boxOf('wave', boxOf('abcd', Buffer.alloc(32))), boxes]),
    outcome: /^has a configuration of ALAC that can be read in two ways$/,
  },
  {
    title: 'media before its decoder configuration, which decoders then skip',
    of: 'tone.m4a',
    make: (bytes) => withEntry(bytes, (fixed, boxes) => [fixed, boxOf('mdat'), boxes]),
    outcome: /^has a box mdat in a box entry$/,
  },
  texts('stbl', /^has a box wfex in a box stbl$/),
  texts('entry', /^has a decoder in a track of text$/),
  pictured('a picture whose configuration names MP3', configured(0x6b), unmeasurablePicture),
  pictured('pictures of MPEG-1, of which a sample may have many', configured(0x6a), unmeasurablePicture),
  pictured('pictures of VC-1, of which a sample may have many', configured(0xa3), unmeasurablePicture),
  ...['m1v1', 'mpeg', 'vc-1', 'WVC1', 'abcd'].map(renamed),
  pictured('a picture with a description of sound', wave, /^has a picture with a box wfex$/),
  listed('a bit for each of six channels', channelList(0x1_0000, 63, 0), twoWays),
  listed('a description of each of three channels', channelList(0, 0, 3), twoWays),
  listed('a known layout of eight channels', channelList((128 << 16) | 8, 0, 0), twoWays),
  listed('a bit for its only channel', channelList(0x1_0000, 4, 0), 6),
  listed('a layout of two channels', boxOf('chnl', numbers(0), Buffer.from([1, 2]), Buffer.alloc(8)), twoWays),
  listed('ambisonics of four channels', boxOf('SA3D', numbers(0, 0x100, 4, 0)), twoWays),
];
