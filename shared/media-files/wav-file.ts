/** Measures a WAV by the bytes of its samples: what it says of their rate in bytes only has to agree. */
import { areFar } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, truncated, unmeasurable, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

interface Format {
  readonly sampleRate: number;
  /** Of one sample of all channels. */
  readonly blockBytes: number;
}

/** PCM, floating point, A-law and µ-law: whose samples have bits of a fixed number. */
const plainFormats = new Set([1, 3, 6, 7]);
const extensible = 0xfffe;
const extensibleAt = 24;

/** @throws {MediaFault} unreadable, unmeasurable, contradictory */
function formatIn(content: Buffer): Format {
  if (content.length < 16) throw unreadable();
  const tag = content.readUInt16LE(0);
  const isExtended = tag === extensible && content.length >= extensibleAt + 2;
  const codec = isExtended ? content.readUInt16LE(extensibleAt) : tag;
  if (!plainFormats.has(codec)) throw unmeasurable(`WAV format ${codec}`);
  const [channels, sampleRate] = [content.readUInt16LE(2), content.readUInt32LE(4)];
  const [declaredBytes, blockAlign, bits] = [8, 12, 14].map((at) =>
    at === 8 ? content.readUInt32LE(at) : content.readUInt16LE(at),
  );
  if (channels === 0 || sampleRate === 0 || !bits || bits > 64) throw unreadable();
  const blockBytes = channels * Math.ceil(bits / 8);
  if (blockAlign !== blockBytes) {
    throw contradictory(`declares blocks of ${blockAlign} bytes for samples of ${blockBytes}: export it again`);
  }
  const bytesPerSecond = blockBytes * sampleRate;
  if (declaredBytes && Math.abs(declaredBytes / bytesPerSecond - 1) > 0.05) {
    throw contradictory(`declares ${declaredBytes} bytes per second for samples of ${bytesPerSecond}: export it again`);
  }
  return { sampleRate, blockBytes };
}

/** Programs that write to a pipe leave no size, or about the largest there is. */
const isUnknown = (size: number): boolean => size === 0 || size >= 0x7fff_0000;

const headBytes = 8;
/** Letters, or the zeros with which some writers fill up. */
const chunkName = /^(?:[\x20-\x7e]{4}|\0{4})$/;
const longestFormat = 4096;
const sizeBlock = 2 ** 20;
/** Some writers are off by the length of the header. */
const toleratedBytes = 1024;

/** Where the file ends, for samples that last as long as it does. */
function* endOf(file: FileWindow, from: number): Walk<number> {
  if (file.size !== undefined) return file.size;
  let at = from;
  while (yield* file.load(at, sizeBlock)) at += sizeBlock;
  return file.end;
}

interface Sound {
  format: Format | undefined;
  bytes: number;
  /** Of the samples, in a file whose sizes have 64 bits. */
  longBytes: number;
}

/** The position behind a chunk. */
function* chunk(file: FileWindow, at: number, sound: Sound): Walk<number> {
  const type = file.text(at, 4);
  const size = file.view(at + 4, 4).readUInt32LE(0);
  const content = at + headBytes;
  if (!chunkName.test(type)) throw contradictory('contains bytes that belong to no part of it: export it again');
  if (type === 'ds64' && size >= 24 && (yield* file.load(content, 24))) {
    sound.longBytes = Number(file.view(content + 8, 8).readBigUInt64LE(0));
  }
  if (type === 'fmt ') {
    if (sound.format) throw contradictory('describes its samples twice');
    if (size > longestFormat || !(yield* file.load(content, size))) throw unreadable();
    sound.format = formatIn(file.view(content, size));
  }
  if (type !== 'data') return content + size + (size % 2);
  const isLong = size === 0xffff_ffff && sound.longBytes > 0;
  const known = isLong ? sound.longBytes : size;
  if (!isLong && isUnknown(size)) {
    const end = yield* endOf(file, content);
    sound.bytes += end - content;
    return end;
  }
  if (!(yield* file.reaches(content + known))) throw truncated();
  sound.bytes += known;
  return content + known + (known % 2);
}

/** @throws {MediaFault} */
export function* measureWav(file: FileWindow, work: Work): Walk<MeasuredFile> {
  yield* file.load(0, 12);
  const name = file.text(0, 4);
  const declared = file.view(4, 4).readUInt32LE(0);
  const sound: Sound = { format: undefined, bytes: 0, longBytes: 0 };
  let at = 12;
  while (yield* file.load(at, headBytes)) {
    work.visit();
    at = yield* chunk(file, at, sound);
  }
  const { format, bytes } = sound;
  if (!format) throw unreadable();
  const second = format.blockBytes * format.sampleRate;
  const isDeclared = name === 'RIFF' && !isUnknown(declared);
  if (isDeclared && bytes > declared + toleratedBytes && areFar(bytes / second, declared / second)) {
    throw contradictory(`declares ${declared} bytes, but contains ${bytes} bytes of sound: export it again`);
  }
  return { contentType: 'audio/wav', name: 'WAV', hasVideo: false, hasAudio: true, durationSec: bytes / second };
}
