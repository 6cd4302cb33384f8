/** Determines the duration of a codec's packets from their first bytes. */
import type { FrameClock } from './aac-config.ts';
import { aacCheck, refuseOwnHeader, severalFrames } from './aac-packet.ts';
import { type FlacStream, flacFramesIn } from './flac-frame.ts';
import { contradictory, unmeasurable } from './media-fault.ts';
import { frameHeadAt } from './mpeg-frame.ts';
import { vorbisClock } from './vorbis-clock.ts';
import type { Work } from './work.ts';

export interface PacketClock {
  readonly sampleRate: number;
  /** How many of the first bytes determine a packet's duration. */
  readonly headBytes: number;
  /** The samples in the packet at a position; `length` is that of the whole packet, even if only its first bytes are loaded. */
  samplesAt(bytes: Buffer, at: number, length: number): number;
}

/**
 * All bytes of the packet: decoders play all frames in it, so each is counted. The limit is more than a FLAC frame with
 * eight channels of 65,535 samples takes.
 */
export const wholePacket = 2 ** 21;

/** Requires that a packet is small enough to be read completely. @throws {MediaFault} contradictory */
export function requireWhole(length: number): void {
  if (length > wholePacket) throw contradictory('has packets without end');
}

const opusRate = 48_000;
const longestOpusPacket = 5760;
/** Frame lengths in samples at 48 kHz, by configuration: SILK, hybrid and CELT. */
const opusFrames = [480, 960, 1920, 2880] as const;
const opusHybrid = [480, 960] as const;
const opusCelt = [120, 240, 480, 960] as const;

const opusFrameSamples = Array.from({ length: 32 }, (_, configuration) => {
  if (configuration < 12) return opusFrames[configuration & 3] ?? 0;
  if (configuration < 16) return opusHybrid[configuration & 1] ?? 0;
  return opusCelt[configuration & 3] ?? 0;
});

export const opusClock: PacketClock = {
  sampleRate: opusRate,
  headBytes: 2,
  samplesAt(bytes, at, length) {
    if (length === 0) return 0;
    const first = bytes[at] ?? 0;
    const each = opusFrameSamples[first >> 3] ?? 0;
    const code = first & 3;
    if (code < 3) return code === 0 ? each : 2 * each;
    return length === 1 ? 0 : Math.min(longestOpusPacket, ((bytes[at + 1] ?? 0) & 63) * each);
  },
};

export const pcmClock = (sampleRate: number, bytesPerSample: number): PacketClock => ({
  sampleRate,
  headBytes: 0,
  samplesAt: (_bytes, _at, length) => length / bytesPerSample,
});

/** Decoders play each frame at the rate in its own header, or else at that of the last frame. */
export function flacClock(stream: FlacStream, work: Work): PacketClock {
  const { sampleRate } = stream;
  let lastRate = sampleRate;
  return {
    sampleRate,
    headBytes: wholePacket,
    samplesAt(bytes, at, length) {
      requireWhole(length);
      work.visit();
      const first = flacFramesIn(bytes, { from: at, to: at + 1 }, stream, lastRate, work);
      if (first.frames > 0 && first.sampleRate !== sampleRate) throw contradictory('changes its sample rate');
      const all = flacFramesIn(bytes, { from: at, to: at + length }, stream, lastRate, work);
      lastRate = all.sampleRate;
      return all.seconds * sampleRate;
    },
  };
}

/** How many frames count as one element of work. */
export const framesOfElement = 4;

/** The clock for MP3, in samples at the track's rate, whatever rate the frames have. */
export const mp3Clock = (sampleRate: number, work: Work): PacketClock => ({
  sampleRate,
  headBytes: wholePacket,
  samplesAt(bytes, at, length) {
    requireWhole(length);
    let samples = 0;
    for (let next = at; next < at + length; ) {
      const frame = frameHeadAt(bytes, next);
      // Decoders join the contents of packets to find frames.
      if (!frame || frame.isAdts) throw contradictory('has packets that are no frames');
      work.visit(1 / framesOfElement);
      samples += (frame.samples * sampleRate) / frame.sampleRate;
      next += frame.bytes;
    }
    return samples;
  },
});

/** The clock for AAC, of which each packet has one frame. */
export function aacClockOf(
  { sampleRate, frameSamples, maxFrameBytes, rateIndex }: FrameClock,
  work: Work,
): PacketClock {
  const check = rateIndex === undefined ? undefined : aacCheck(rateIndex, 'packet');
  return {
    sampleRate,
    headBytes: check ? wholePacket : 1,
    samplesAt(bytes, at, length) {
      if (length > maxFrameBytes) throw severalFrames('packet');
      if (check && length > 1) refuseOwnHeader(bytes, at, 'packet');
      if (check && work.examines(length)) check(bytes.subarray(at, at + length));
      return frameSamples;
    },
  };
}

/** Creates the clock of a Vorbis stream. @throws {MediaFault} unmeasurable, unreadable, contradictory, excessive */
export function vorbisPacketClock(identification: Buffer, setup: Buffer, work: Work): PacketClock {
  const clock = vorbisClock(identification, setup, work);
  if (!clock) throw unmeasurable('Vorbis');
  let last = 0;
  return {
    sampleRate: clock.sampleRate,
    headBytes: 1,
    samplesAt(bytes, at, length) {
      const first = length > 0 ? (bytes[at] ?? 0) : 0;
      // Decoders restart at a Vorbis header, which may have another rate.
      if (first & 1) throw contradictory('has headers of Vorbis in its packets');
      const block = length > 0 ? clock.blockOf(first) : 0;
      const samples = last === 0 ? 0 : last / 4 + block / 4;
      if (block > 0) last = block;
      return block > 0 ? samples : 0;
    },
  };
}
