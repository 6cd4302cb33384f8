/** Determines the duration of a codec's packets from their first bytes. */
import { flacFrameAt } from './flac-frame.ts';
import { contradictory, unmeasurable } from './media-fault.ts';
import { frameHeadAt } from './mpeg-frame.ts';
import { vorbisClock } from './vorbis-clock.ts';

export interface PacketClock {
  readonly sampleRate: number;
  /** How many of the first bytes determine a packet's duration. */
  readonly headBytes: number;
  /** The samples in a packet; `bytes` is the length of the whole packet. */
  samplesIn(head: Buffer, bytes: number): number;
}

const opusRate = 48_000;
const longestOpusPacket = 5760;
/** Frame lengths in samples at 48 kHz, by configuration: SILK, hybrid and CELT. */
const opusFrames = [480, 960, 1920, 2880] as const;
const opusHybrid = [480, 960] as const;
const opusCelt = [120, 240, 480, 960] as const;

function opusFrameSamples(configuration: number): number {
  if (configuration < 12) return opusFrames[configuration & 3] ?? 0;
  if (configuration < 16) return opusHybrid[configuration & 1] ?? 0;
  return opusCelt[configuration & 3] ?? 0;
}

export const opusClock: PacketClock = {
  sampleRate: opusRate,
  headBytes: 2,
  samplesIn(head) {
    const [first, second = 0] = head;
    if (first === undefined) return 0;
    const frames = [1, 2, 2, second & 63][first & 3] ?? 0;
    return Math.min(longestOpusPacket, frames * opusFrameSamples(first >> 3));
  },
};

/** For codecs whose packets all have the same duration. */
export const fixedClock = (sampleRate: number, samples: number): PacketClock => ({
  sampleRate,
  headBytes: 0,
  samplesIn: () => samples,
});

export const pcmClock = (sampleRate: number, bytesPerSample: number): PacketClock => ({
  sampleRate,
  headBytes: 0,
  samplesIn: (_, bytes) => bytes / bytesPerSample,
});

/** Decoders play each frame at the rate in its own header. */
export const flacClock = (sampleRate: number): PacketClock => ({
  sampleRate,
  headBytes: 16,
  samplesIn(head) {
    const frame = flacFrameAt(Buffer.concat([head.subarray(0, 16), Buffer.alloc(16)]), 0);
    if (!frame) return 0;
    if (frame.sampleRate !== 0 && frame.sampleRate !== sampleRate) throw contradictory('changes its sample rate');
    return frame.samples;
  },
});

/** In samples at the track's rate, whatever rate the frames have. */
export const mp3Clock = (sampleRate: number): PacketClock => ({
  sampleRate,
  headBytes: 7,
  samplesIn(head, bytes) {
    const frame = frameHeadAt(head, 0);
    if (!frame) return 0;
    // Decoders play all frames of a packet.
    const frames = Math.max(1, Math.floor(bytes / Math.max(1, frame.bytes)));
    return (frames * frame.samples * sampleRate) / frame.sampleRate;
  },
});

/** Creates the clock of a Vorbis stream. @throws {MediaFault} unmeasurable */
export function vorbisPacketClock(identification: Buffer, setup: Buffer): PacketClock {
  const clock = vorbisClock(identification, setup);
  if (!clock) throw unmeasurable('Vorbis');
  let last = 0;
  return {
    sampleRate: clock.sampleRate,
    headBytes: 1,
    samplesIn(head) {
      const block = clock.blockOf(head[0] ?? 0);
      const samples = last === 0 ? 0 : last / 4 + block / 4;
      if (block > 0) last = block;
      return block > 0 ? samples : 0;
    },
  };
}
