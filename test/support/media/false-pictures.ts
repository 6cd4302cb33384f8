/** Video whose samples show more pictures than the file counts for them, in codecs of which decoders show all. */
import { withSamples } from './false-samples.ts';
import { type Lie, tampered } from './lie.ts';
import { blockOf, clusterTime, element, hex, matroskaOf } from './made-matroska.ts';

/** Units of AV1: a type and the beginning of the content. */
const unit = (type: number, ...content: readonly number[]): Buffer =>
  Buffer.from([(type << 3) | 2, content.length, ...content]);
const delimiter = unit(2);
const shown = unit(6, 0x10, 1, 2, 3);
const hidden = unit(6, 0x00, 1, 2, 3);
const existing = unit(3, 0x80);
const endless = Buffer.from([6 << 3, 0x10, 1, 2]);
/** A sequence whose frames are all shown, although none says so. */
const stills = unit(1, 0x18, 0, 0);

/** Frames of VP9, and a list of them, as there is at the end of a sample with several. */
const frame = (first: number): Buffer => Buffer.from([first, 1, 2, 3]);
const [visible, invisible, repeated] = [frame(0x86), frame(0x84), frame(0x88)];
const [visible3, invisible3] = [frame(0xb1), frame(0xb2)];
const listed = (...frames: readonly Buffer[]): Buffer => {
  const mark = Buffer.from([0xc0 | (frames.length - 1)]);
  return Buffer.concat([...frames, mark, Buffer.from(frames.map(({ length }) => length)), mark]);
};

const samplesOf = {
  av1: {
    'one shown frame': [[delimiter, shown], 6],
    'a hidden frame and the one that shows it': [[delimiter, hidden, existing], 6],
    'a frame without a size': [[endless], 6],
    'two shown frames': [[shown, shown], undefined],
    'a shown frame after one that is shown again': [[existing, hidden, shown], undefined],
    'two delimiters': [[delimiter, hidden, delimiter, shown], undefined],
    'two frames in a sequence of stills': [[stills, hidden, hidden], undefined],
    'a header in a form that some decoders take for a frame': [[shown, unit(7, 0x80)], undefined],
  },
  vp9: {
    'one shown frame': [[visible], 6],
    'a hidden frame and a shown one': [[listed(invisible, visible)], 6],
    'a hidden frame and a shown one in profile 3': [[listed(invisible3, visible3)], 6],
    'two shown frames': [[listed(visible, visible)], undefined],
    'a frame that is shown again after a shown one': [[listed(visible, repeated)], undefined],
    'two shown frames in profile 3': [[listed(visible3, visible3)], undefined],
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<string, readonly [readonly Buffer[], number | undefined]>>>
>;

const severalPictures = /^has several pictures in a sample: export it again$/;
const names = { av1: ['av01', 'V_AV1'], vp9: ['vp09', 'V_VP9'] } as const;

/** A Matroska with this video at ten blocks per second, and a packet of sound. */
function matroskaWith(codec: string, picture: Buffer): Buffer {
  const size = element('e0', element('b0', hex('40')), element('ba', hex('30')));
  const track = element(
    'ae',
    element('d7', hex('02')),
    element('83', hex('01')),
    element('86', Buffer.from(codec)),
    size,
  );
  const sound = { codec: 'A_PCM/INT/LIT', setup: Buffer.alloc(0), rate: 8000, others: [track] };
  const audio = [element('6264', Buffer.from([16]))];
  const blocks = Array.from({ length: 60 }, (_, index) => {
    const block = blockOf({ atMs: index * 100, packets: [picture] });
    // The number of the track follows the id and the size.
    block.writeUInt8(0x82, 6);
    return block;
  });
  return matroskaOf({ ...sound, audio }, clusterTime(0), ...blocks);
}

/** A video in VP9 whose samples show eight pictures each, apart from the first, which has this many more bytes. */
export const withPaddedFirst = (bytes: Buffer, padding: number): Buffer => {
  const bad = listed(...Array.from({ length: 8 }, () => visible));
  const first = Buffer.concat([visible, Buffer.alloc(padding)]);
  const renamed = tampered((copy) => void copy.write('vp09', copy.lastIndexOf('avc1'), 'latin1'));
  return renamed(withSamples(bytes, (samples) => samples.map((_, index) => (index === 0 ? first : bad))));
};

export const pictureLies: readonly Lie[] = (['av1', 'vp9'] as const).flatMap((codec) =>
  Object.entries(samplesOf[codec]).flatMap(([title, [parts, seconds]]): Lie[] => {
    const sample = Buffer.concat([...parts]);
    const outcome = seconds ?? severalPictures;
    const [entry, id] = names[codec];
    const renamed = tampered((copy) => void copy.write(entry, copy.lastIndexOf('avc1'), 'latin1'));
    return [
      {
        title: `${title} in each sample of ${entry}`,
        of: 'silent.mp4',
        make: (bytes) => renamed(withSamples(bytes, (samples) => samples.map(() => sample))),
        outcome,
      },
      {
        title: `${title} in each block of ${id}`,
        of: 'film.mkv',
        make: () => matroskaWith(id, sample),
        outcome,
      },
    ];
  }),
);
