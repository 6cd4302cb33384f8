/** Measures a WAV by the bytes of its samples, with which its declared byte rate must agree. */
import { type GrowingBlock, growingBlock } from '../platform/growing-block.ts';
import { areFar } from './agreed-seconds.ts';
import { hasCodedFrames } from './coded-samples.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, truncated, unmeasurable, unreadable } from './media-fault.ts';
import { firstProbe, hasSureMark } from './other-formats.ts';
import { type WavFormat, wavFormatIn } from './wav-format.ts';
import type { Work } from './work.ts';

/** Programs that write to a pipe leave the size as zero or as about the largest possible value. */
const isUnknown = (size: number): boolean => size === 0 || size >= 0x7fff_0000;

const headBytes = 8;
/** A chunk's name: four letters, or zeros that some writers use as padding. */
const chunkName = /^(?:[\x20-\x7e]{4}|\0{4})$/;
const longestFormat = 4096;
const sizeBlock = 2 ** 20;
/** The tolerated difference from the declared size: some writers count the header in it. */
const toleratedBytes = 1024;

/** Finds the end of the file, for samples of unknown size. */
function* endOf(file: FileWindow, from: number): Walk<number> {
  if (file.size !== undefined) return file.size;
  let at = from;
  while (yield* file.load(at, sizeBlock)) at += sizeBlock;
  return file.end;
}

/**
 * How far decoders look for another codec: in the first packets, each of a tenth of a second, a few kilobytes or one
 * sample.
 */
const searchedPackets = 33;
const searchedSec = searchedPackets / 10;
const [minSearched, maxSearched] = [128 * 1024, 4 * 2 ** 20];

/**
 * Keeps the beginning of the samples, whatever chunks they are in: decoders do not see where a chunk ends. @throws
 * {MediaFault} unreadable
 */
function* keepBeginning(file: FileWindow, { format, beginning }: Sound, from: number, length: number): Walk<void> {
  if (!format) throw unreadable();
  const second = format.blockBytes * format.sampleRate;
  const packets = Math.max(Math.ceil(second * searchedSec), format.blockBytes * searchedPackets);
  const searched = Math.min(maxSearched, Math.max(minSearched, packets));
  const kept = Math.min(length, searched - beginning.bytes().length);
  if (kept <= 0) return;
  yield* file.load(from, kept);
  beginning.add(file.view(from, kept));
}

/** Rejects encoded audio. @throws {MediaFault} contradictory, excessive */
function requirePlain({ beginning }: Sound, work: Work): void {
  const bytes = Buffer.from(beginning.bytes());
  work.scan(bytes.length);
  if (hasCodedFrames(bytes)) {
    throw contradictory('declares plain samples, but contains sound in another codec: export it again');
  }
}

interface Sound {
  format: WavFormat | undefined;
  bytes: number;
  /** Whether the file has 64-bit sizes (RF64), and the size of its samples. */
  readonly isLong: boolean;
  longBytes: number;
  /** The first samples, in which another codec is searched for. */
  readonly beginning: GrowingBlock;
}

/** Reads a chunk, and returns the position after it. */
function* chunk(file: FileWindow, at: number, sound: Sound): Walk<number> {
  const type = file.text(at, 4);
  const size = file.view(at + 4, 4).readUInt32LE(0);
  const content = at + headBytes;
  if (!chunkName.test(type)) throw contradictory('contains bytes that belong to no part of it: export it again');
  // Decoders play the video that some cameras store in this chunk.
  if (type === 'SMV0') throw contradictory('contains video');
  // Decoders then read the samples as those of a game console, whatever the format declares.
  if (type === 'XMA2') throw unmeasurable(type);
  // Decoders disagree on whether a `ds64` chunk counts in a plain WAV.
  if (type === 'ds64' && !sound.isLong) throw contradictory('has sizes of 64 bits in a file of 32');
  if (type === 'ds64' && sound.longBytes > 0) throw contradictory('declares its size twice');
  if (type === 'ds64' && size >= 24 && (yield* file.load(content, 24))) {
    sound.longBytes = Number(file.view(content + 8, 8).readBigUInt64LE(0));
  }
  if (type === 'fmt ') {
    if (sound.format) throw contradictory('describes its samples twice');
    if (size > longestFormat || !(yield* file.load(content, size))) throw unreadable();
    sound.format = wavFormatIn(file.view(content, size));
  }
  if (type !== 'data') return content + size + (size % 2);
  yield* keepBeginning(file, sound, content, isUnknown(size) ? maxSearched : size);
  if (sound.longBytes > 0 && size !== 0xffff_ffff && size !== sound.longBytes)
    throw contradictory('declares two sizes');
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

/**
 * Whether decoders recognize the file as ACT, a format of voice recorders whose header is that of a WAV, followed by
 * zeros.
 */
const isAct = (file: FileWindow): boolean => file.u8(256) === 0x84 && file.view(44, 212).every((byte) => byte === 0);

/** Measures the file. @throws {MediaFault} */
export function* measureWav(file: FileWindow, work: Work): Walk<MeasuredFile> {
  yield* file.load(0, firstProbe);
  if (isAct(file)) throw unreadable();
  if (hasSureMark(file.view(0, firstProbe))) throw contradictory('begins with another format: export it again');
  const name = file.text(0, 4);
  const declared = file.view(4, 4).readUInt32LE(0);
  const sound: Sound = {
    format: undefined,
    bytes: 0,
    isLong: name !== 'RIFF',
    longBytes: 0,
    beginning: growingBlock(maxSearched),
  };
  let at = 12;
  while (yield* file.load(at, headBytes)) {
    work.visit();
    at = yield* chunk(file, at, sound);
  }
  const { format, bytes } = sound;
  if (!format) throw unreadable();
  requirePlain(sound, work);
  const second = format.blockBytes * format.sampleRate;
  const isDeclared = name === 'RIFF' && !isUnknown(declared);
  if (isDeclared && bytes > declared + toleratedBytes && areFar(bytes / second, declared / second)) {
    throw contradictory(`declares ${declared} bytes, but contains ${bytes} bytes of sound: export it again`);
  }
  return { contentType: 'audio/wav', name: 'WAV', hasVideo: false, hasAudio: true, durationSec: bytes / second };
}
