/** The tracks of a WebM or Matroska, and the durations of their codecs' packets. */
import { aacClock } from './aac-config.ts';
import { flacStreamIn } from './flac-frame.ts';
import { elementsIn, floatIn, sizeNumberAt, unsignedIn } from './matroska-elements.ts';
import { contradictory, excessive, unmeasurable, unreadable } from './media-fault.ts';
import {
  aacClockOf,
  flacClock,
  mp3Clock,
  opusClock,
  type PacketClock,
  pcmClock,
  vorbisPacketClock,
} from './packet-clock.ts';
import { av1Check, type PictureCheck, vp9Check } from './picture-check.ts';
import type { Work } from './work.ts';

export interface MatroskaTrack {
  readonly number: number;
  /** How to measure the track's packets; undefined for a video track. */
  readonly clock: PacketClock | undefined;
  readonly width: number;
  readonly height: number;
  /** The declared duration of a frame; 0 if it is not declared. */
  readonly frameSec: number;
  /** The bytes that were stripped from the beginning of every packet, and that decoders put back. */
  readonly prefix: Buffer;
  /** How to check the blocks of a video track; undefined if they need no check. */
  readonly pictureCheck: PictureCheck | undefined;
}

export interface Tracks {
  readonly tracks: readonly MatroskaTrack[];
  /** The numbers of tracks of subtitles or metadata. */
  readonly silent: readonly number[];
}

const ids = {
  entry: 0xae,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  defaultDuration: 0x23e383,
  timestampScale: 0x23314f,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayWidth: 0x54b0,
  displayHeight: 0x54ba,
  displayUnit: 0x54b2,
  audio: 0xe1,
  sampleRate: 0xb5,
  outputRate: 0x78b5,
  channels: 0x9f,
  bitDepth: 0x6264,
  encodings: 0x6d80,
  encoding: 0x6240,
  encodingScope: 0x5032,
  encodingType: 0x5033,
  compression: 0x5034,
  compressionAlgorithm: 0x4254,
  compressionSettings: 0x4255,
  encryption: 0x5035,
} as const;

type Values = ReadonlyMap<number, Buffer>;

/** Elements that contain others; if there are several of them, some decoders read all. */
const descriptions: readonly number[] = [ids.audio, ids.video, ids.encodings, ids.compression];

/** The elements of a description; of several values, the last counts. @throws {MediaFault} contradictory */
function valuesIn(content: Buffer | undefined, work: Work): Values {
  const values = new Map<number, Buffer>();
  for (const [id, value] of content ? elementsIn(content, work) : []) {
    if (values.has(id) && descriptions.includes(id)) throw contradictory('describes a track twice');
    values.set(id, value);
  }
  return values;
}

const numberOf = (values: Values, id: number, otherwise = 0): number => {
  const content = values.get(id);
  return content ? unsignedIn(content) : otherwise;
};

/** The three headers of Vorbis, whose lengths are encoded like those of frames in a block. */
function vorbisIn(setup: Buffer, work: Work): PacketClock {
  const sizes: number[] = [];
  let at = 1;
  for (let header = 0; header < 2; header += 1) {
    let size = 0;
    while (setup[at] === 255) {
      size += 255;
      at += 1;
    }
    sizes.push(size + (setup[at] ?? 0));
    at += 1;
  }
  const [first = 0, second = 0] = sizes;
  if (setup[0] !== 2 || at + first + second > setup.length) throw unreadable();
  return vorbisPacketClock(setup.subarray(at, at + first), setup.subarray(at + first + second), work);
}

function flacIn(setup: Buffer, work: Work): PacketClock {
  const at = setup.toString('latin1', 0, 4) === 'fLaC' ? 8 : 0;
  return flacClock(flacStreamIn(setup.subarray(at)), work);
}

/** The bits per sample of PCM that decoders support: they read other depths as one of these. */
const plainBits: Readonly<Record<string, readonly number[]>> = {
  'A_PCM/INT/LIT': [8, 16, 24, 32],
  'A_PCM/INT/BIG': [8, 16, 24, 32],
  'A_PCM/FLOAT/IEEE': [32, 64],
};

/** The sample rate of audio whose packets do not contain it. Decoders ignore fractions, and prefer the output rate. */
function rateIn(audio: Values): number {
  const rate = floatIn(audio.get(ids.sampleRate) ?? Buffer.alloc(0)) || 8000;
  const output = audio.get(ids.outputRate);
  if (!Number.isInteger(rate) || rate < 1 || rate > 768_000) throw unreadable();
  if (output && floatIn(output) !== rate) throw contradictory('is played at another rate than it was recorded at');
  return rate;
}

/** A codec's name, in which characters that an error message could not show are replaced. */
const shown = (codec: string): string => codec.replaceAll(/[^\w/.-]/g, '?').slice(0, 32);

/** How to measure a track's packets. @throws {MediaFault} unmeasurable, unreadable */
function clockOf(codec: string, setup: Buffer, audio: Values, work: Work): PacketClock {
  const channels = numberOf(audio, ids.channels, 1);
  const bits = numberOf(audio, ids.bitDepth);
  if (channels < 1 || channels > 255) throw unreadable();
  if (codec === 'A_OPUS') return opusClock;
  if (codec === 'A_VORBIS') return vorbisIn(setup, work);
  if (codec === 'A_FLAC') return flacIn(setup, work);
  if (codec === 'A_MPEG/L3' || codec === 'A_MPEG/L2') return mp3Clock(rateIn(audio), work);
  if (plainBits[codec]?.includes(bits)) return pcmClock(rateIn(audio), channels * (bits / 8));
  const aac = codec.startsWith('A_AAC') && aacClock(setup);
  if (aac) return aacClockOf(aac, work);
  throw unmeasurable(shown(codec));
}

/**
 * The longest accepted prefix that a file strips from all packets of a track, and that is copied before each of them to
 * parse it. No codec's frames have so many bytes in common.
 */
const longestPrefix = 256;

/** The bytes stripped from every packet. @throws {MediaFault} unmeasurable, if packets would have to be decompressed; excessive */
function prefixIn(encodings: Buffer | undefined, work: Work): Buffer {
  const all = [...(encodings ? elementsIn(encodings, work) : [])].filter(([id]) => id === ids.encoding);
  const [first] = all;
  if (!first) return Buffer.alloc(0);
  const encoding = valuesIn(first[1], work);
  const compression = valuesIn(encoding.get(ids.compression), work);
  const isStripped = numberOf(compression, ids.compressionAlgorithm) === 3;
  // Decoders put stripped bytes back only into packets (scope 1), and only if they were compressed (type 0).
  const isPackets = numberOf(encoding, ids.encodingScope, 1) === 1 && numberOf(encoding, ids.encodingType) === 0;
  if (all.length > 1 || encoding.has(ids.encryption) || !isStripped || !isPackets)
    throw unmeasurable('compressed packets');
  const prefix = compression.get(ids.compressionSettings) ?? Buffer.alloc(0);
  if (prefix.length > longestPrefix) throw excessive();
  return prefix;
}

const trackTypes = { video: 1, audio: 2, subtitles: 0x11, metadata: 0x21 } as const;
const silentTypes: readonly number[] = [trackTypes.subtitles, trackTypes.metadata];

/** The unit of a display size that is not stated; all other units give a ratio. */
const unknownUnit = 4;

/**
 * The size with square pixels. It is never smaller than the coded frame, because decoders keep whole frames in memory.
 */
function displayed(video: Values) {
  const [width, height] = [numberOf(video, ids.pixelWidth), numberOf(video, ids.pixelHeight)];
  const [wide, high] = [numberOf(video, ids.displayWidth, width), numberOf(video, ids.displayHeight, height)];
  if (numberOf(video, ids.displayUnit) >= unknownUnit || wide === 0 || high === 0) return { width, height };
  return wide * height > high * width
    ? { width: Math.round((height * wide) / high), height }
    : { width, height: Math.round((width * high) / wide) };
}

/**
 * Video codecs of which a block contains one frame, which AV1 and VP9 are checked for. In a block of other codecs, such
 * as PNG or GIF, decoders find several.
 */
const pictureCodec =
  /^V_(?:VP[89]|AV1|MPEG4\/ISO\/(?:AVC|SP|ASP|AP)|MPEGH\/ISO\/HEVC|MPEG[12]|MJPEG|THEORA|PRORES|FFV1)$/;

/** The bytes of the description of AV1 before its units. */
const av1HeadBytes = 4;

function pictureCheckOf(codec: string, setup: Buffer, prefix: Buffer, work: Work): PictureCheck | undefined {
  const check =
    codec === 'V_AV1' ? av1Check(setup.subarray(av1HeadBytes), work) : codec === 'V_VP9' ? vp9Check(work) : undefined;
  if (check && prefix.length > 0) throw unmeasurable(codec, 'pictures');
  return check;
}

function trackIn(values: Values, codec: string, work: Work): MatroskaTrack {
  const scale = values.get(ids.timestampScale);
  if (scale && floatIn(scale) !== 1) throw contradictory('has a track with a clock of its own');
  const isSound = numberOf(values, ids.type) === trackTypes.audio;
  if (!isSound && !pictureCodec.test(codec)) throw unmeasurable(shown(codec), 'pictures');
  const setup = values.get(ids.codecPrivate) ?? Buffer.alloc(0);
  const prefix = prefixIn(values.get(ids.encodings), work);
  return {
    number: numberOf(values, ids.number),
    clock: isSound ? clockOf(codec, setup, valuesIn(values.get(ids.audio), work), work) : undefined,
    ...displayed(valuesIn(values.get(ids.video), work)),
    frameSec: numberOf(values, ids.defaultDuration) / 1e9,
    prefix,
    pictureCheck: pictureCheckOf(codec, setup, prefix, work),
  };
}

/** The most tracks of a file: more than any real file has. */
const maxTracks = 64;

/** Parses the tracks. @throws {MediaFault} */
export function tracksIn(content: Buffer, work: Work): Tracks {
  const tracks: MatroskaTrack[] = [];
  const silent: number[] = [];
  const entries = [...elementsIn(content, work)].filter(([id]) => id === ids.entry);
  if (entries.length > maxTracks) throw excessive();
  for (const [, entry] of entries) {
    const values = valuesIn(entry, work);
    const type = numberOf(values, ids.type);
    const codec = values.get(ids.codec)?.toString('latin1').replaceAll('\0', '') ?? '';
    if (type === trackTypes.video || type === trackTypes.audio) tracks.push(trackIn(values, codec, work));
    else if (!silentTypes.includes(type) || codec === '') throw contradictory('has a track of an unknown kind');
    else silent.push(numberOf(values, ids.number));
  }
  if (tracks.filter(({ clock }) => !clock).length > 1) throw contradictory('has two pictures');
  return { tracks, silent };
}

const lacings = { xiph: 1, fixed: 2, ebml: 3 } as const;

/** The lengths of the frames in a block, starting at `at`; the last one takes the rest. */
function lacedSizes(
  block: Buffer,
  at: number,
  lacing: number,
  work: Work,
): { readonly sizes: number[]; readonly from: number } {
  const count = (block[at] ?? 0) + 1;
  let next = at + 1;
  const sizes: number[] = [];
  if (lacing === lacings.fixed) {
    const each = (block.length - next) / count;
    if (!Number.isInteger(each)) throw unreadable();
    return { sizes: Array.from({ length: count }, () => each), from: next };
  }
  for (let frame = 0; frame < count - 1; frame += 1) {
    if (lacing === lacings.xiph) {
      let size = 0;
      while (block[next] === 255) {
        size += 255;
        next += 1;
      }
      sizes.push(size + (block[next] ?? 0));
      next += 1;
      continue;
    }
    const number = sizeNumberAt(block, next);
    if (!number) throw unreadable();
    const value = number.value ?? 2 ** (7 * number.length) - 1;
    next += number.length;
    sizes.push(frame === 0 ? value : (sizes[frame - 1] ?? 0) + value - (2 ** (7 * number.length - 1) - 1));
  }
  work.scan(next - at);
  const taken = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.some((size) => size < 0) || next + taken > block.length) throw unreadable();
  return { sizes: [...sizes, block.length - next - taken], from: next };
}

/** The audio packets in a block, starting at `at`. */
export function packetsIn(block: Buffer, at: number, lacing: number, work: Work): readonly Buffer[] {
  if (lacing === 0) return [block.subarray(at)];
  const { sizes, from } = lacedSizes(block, at, lacing, work);
  let next = from;
  return sizes.map((size) => {
    next += size;
    return block.subarray(next - size, next);
  });
}
