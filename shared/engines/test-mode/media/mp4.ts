/** MP4 videos of test mode, of any size and duration. */
import { audioFormat } from './audio-format.ts';
import { macroblocks, pictureParameters, profile, repeatedPicture, sequenceParameters, stillPicture } from './h264.ts';
import { box, fullBox, type Mp4Track, mp4File, uint16, uint32 } from './mp4-boxes.ts';
import type { Shades } from './shades.ts';
import { spokenFrames } from './spoken-test.ts';
import { type Grid, wordOn } from './word.ts';

const framesPerSecond = 25;

interface Video extends Grid {
  readonly seconds: number;
  readonly hasSound: boolean;
}

const lengthPrefixed = (unit: Uint8Array): Buffer => Buffer.concat([uint32(unit.length), unit]);

function avcDescription(size: Grid): Buffer {
  const [sequence, picture] = [sequenceParameters(size), pictureParameters()];
  const { idc, constraints, level } = profile;
  const configuration = [
    Uint8Array.of(1, idc, constraints, level, 0xff, 0xe1),
    uint16(sequence.length),
    sequence,
    Uint8Array.of(1),
    uint16(picture.length),
    picture,
  ];
  // 72 dpi, one frame per sample, no compressor name, 24 bits.
  const format = [uint32(0x480000, 0x480000, 0), uint16(1), Buffer.alloc(32), uint16(24, 0xffff)];
  return box(
    'avc1',
    uint16(0, 0, 0, 1),
    Buffer.alloc(16),
    uint16(size.width, size.height),
    ...format,
    box('avcC', ...configuration),
  );
}

/** A still picture every second, whose lowest row shows how much of the video has passed. */
function pictureTrack(video: Video, { paper, word }: Shades): Mp4Track {
  const { width, height, seconds } = video;
  const count = Math.round(seconds * framesPerSecond);
  const grid = macroblocks(video);
  const { covers } = wordOn(grid);
  const repeats = Array.from({ length: framesPerSecond }, (_, position) =>
    lengthPrefixed(repeatedPicture(video, position)),
  );
  const frame = (position: number) => {
    const passed = ((position + framesPerSecond) / count) * grid.width;
    const shadeAt = (x: number, y: number) => (covers(x, y) || (y === grid.height - 1 && x < passed) ? word : paper);
    return lengthPrefixed(stillPicture(video, shadeAt, position / framesPerSecond));
  };
  const samples = Array.from({ length: count }, (_, position) =>
    position % framesPerSecond === 0 ? frame(position) : (repeats[position % framesPerSecond] ?? Buffer.of()),
  );
  const stills = Array.from(
    { length: Math.ceil(count / framesPerSecond) },
    (_, second) => second * framesPerSecond + 1,
  );
  const description = avcDescription(video);
  return {
    kind: 'vide',
    width,
    height,
    timescale: framesPerSecond,
    sampleDuration: 1,
    samples,
    keys: stills,
    description,
  };
}

/** A descriptor of MPEG-4, with a length of less than 128 bytes. */
const descriptor = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Uint8Array.of(tag, content.length), content]);
};

const { samplesPerSecond, aac } = audioFormat;

function aacDescription(): Buffer {
  // AAC LC, 24 kHz, mono.
  const specific = descriptor(5, Uint8Array.of(0x13, 0x08));
  const rate = uint32(aac.bitsPerSecond, aac.bitsPerSecond);
  const decoder = descriptor(4, Uint8Array.of(0x40, 0x15, 0, 0, 0), rate, specific);
  const stream = descriptor(3, uint16(1), Uint8Array.of(0), decoder, descriptor(6, Uint8Array.of(2)));
  return box(
    'mp4a',
    uint16(0, 0, 0, 1),
    uint32(0, 0),
    uint16(1, 16, 0, 0),
    uint32(samplesPerSecond * 0x10000),
    fullBox('esds', 0, stream),
  );
}

function soundTrack({ seconds }: Video): Mp4Track {
  const samples = spokenFrames('aac', Math.floor((seconds * samplesPerSecond) / aac.samplesPerFrame));
  return {
    kind: 'soun',
    width: 0,
    height: 0,
    timescale: samplesPerSecond,
    sampleDuration: aac.samplesPerFrame,
    samples,
    description: aacDescription(),
  };
}

/** A video that shows the word and, with sound, says it. */
export const mp4 = (video: Video, shades: Shades): Uint8Array =>
  mp4File([pictureTrack(video, shades), ...(video.hasSound ? [soundTrack(video)] : [])]);
