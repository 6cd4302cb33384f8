/** Counts the frames in packets of Speex, whose modes determine their sizes, without decoding them. */
import { unmeasurable } from './media-fault.ts';
import { framesOfElement, type PacketClock, requireWhole, wholePacket } from './packet-clock.ts';
import type { Work } from './work.ts';

/** The size in bits of each mode, including its number, for narrowband and for wideband. */
const narrowBits = [5, 43, 119, 160, 220, 300, 364, 492, 79] as const;
const wideBits = [4, 36, 112, 192, 352] as const;
const [custom, request] = [13, 14];
/** The size in bits of each in-band request, by its number. */
const requestBits = [1, 1, 4, 4, 4, 4, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64] as const;
const isWide = 0x10;

/** The frames in a packet: each begins with narrowband data, which wideband layers may follow. */
function framesIn(packet: Uint8Array): number {
  const bits = (at: number, count: number): number => {
    const both = ((packet[at >> 3] ?? 0) << 8) | (packet[(at >> 3) + 1] ?? 0);
    return (both >> (16 - (at & 7) - count)) & (2 ** count - 1);
  };
  let frames = 0;
  for (let at = 0; at + 5 <= packet.length * 8; ) {
    const mode = bits(at, 5);
    const narrow = narrowBits[mode];
    const wide = mode & isWide ? wideBits[(mode >> 1) & 7] : undefined;
    if (narrow !== undefined) frames += 1;
    if (narrow !== undefined || wide !== undefined) at += narrow ?? wide ?? 0;
    else if (mode === custom) at += 14 + 8 * bits(at + 5, 4);
    else if (mode === request) at += 9 + (requestBits[bits(at + 5, 4)] ?? 0);
    else break;
  }
  return frames;
}

/** Creates the clock of a Speex stream by its header. @throws {MediaFault} unmeasurable */
export function speexClock(head: Buffer, work: Work): PacketClock {
  const [rate, frame, frames] = [head.readUInt32LE(36), head.readUInt32LE(56), head.readUInt32LE(64)];
  const mode = head.readUInt32LE(40);
  const isKnown = mode <= 2 && rate === 8000 * 2 ** mode && frame === rate / 50 && frames >= 1 && frames <= 100;
  if (!isKnown) throw unmeasurable('Speex');
  return {
    sampleRate: rate,
    headBytes: wholePacket,
    samplesAt(bytes, at, length) {
      requireWhole(length);
      // Decoders play as many frames as there are, whatever the header says.
      const found = framesIn(bytes.subarray(at, at + length));
      work.visit(found / framesOfElement);
      return frame * Math.max(frames, found);
    },
  };
}
