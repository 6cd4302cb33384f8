/** Measures a WAV by the bytes of its samples: what it says of their rate in bytes only has to agree. */
import { areFar } from './agreed-seconds.ts';
import { hasCodedFrames } from './coded-samples.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, truncated, unreadable } from './media-fault.ts';
import { type WavFormat, wavFormatIn } from './wav-format.ts';
import type { Work } from './work.ts';

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

/** Decoders search the first packets, each of a tenth of a second or of a few kilobytes, for another codec. */
const searchedSec = 3.3;
const [leastSearched, mostSearched] = [128 * 1024, 4 * 2 ** 20];

/** @throws {MediaFault} unreadable, contradictory */
function* requirePlain(file: FileWindow, { format }: Sound, from: number, length: number): Walk<void> {
  if (!format) throw unreadable();
  const second = format.blockBytes * format.sampleRate;
  const searched = Math.min(length, mostSearched, Math.max(leastSearched, Math.ceil(second * searchedSec)));
  yield* file.load(from, searched);
  if (hasCodedFrames(file.bytes.subarray(from - file.start, from - file.start + searched))) {
    throw contradictory('declares plain samples, but contains sound in another codec: export it again');
  }
}

interface Sound {
  format: WavFormat | undefined;
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
    sound.format = wavFormatIn(file.view(content, size));
  }
  if (type !== 'data') return content + size + (size % 2);
  yield* requirePlain(file, sound, content, isUnknown(size) ? mostSearched : size);
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
