/**
 * Checks that each packet of AAC contains a single frame: decoders play all frames in a packet, but its declared
 * duration is that of one.
 */
import { AacBlocks } from './aac-block.ts';
import { contradictory } from './media-fault.ts';

/** The length of the shortest block of sound. */
const minBlockBytes = 4;

/** What contains a frame: a sample of an MP4, a packet of a Matroska, or a frame with a header of its own. */
export type Packet = 'sample' | 'packet' | 'frame';

export const severalFrames = (packet: Packet) => contradictory(`has sound with more than one frame in a ${packet}`);

/**
 * Rejects a packet with an ADTS header: decoders obey the sample rate in it, which no index declares.
 * @throws {MediaFault} contradictory
 */
export function refuseOwnHeader(bytes: Uint8Array, at: number, packet: Packet): void {
  if (bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xf0) {
    throw contradictory(`has sound with headers of its own in its ${packet}s: export it again`);
  }
}

/** Creates a check of packets with a sample rate. It throws {MediaFault} contradictory. */
export function aacCheck(rateIndex: number, packet: Packet): (bytes: Uint8Array) => void {
  const blocks = new AacBlocks(rateIndex);
  return (bytes) => {
    const rest = bytes.subarray(blocks.bytesOf(bytes) ?? bytes.length);
    if (rest.length >= minBlockBytes && rest.some((byte) => byte !== 0)) throw severalFrames(packet);
  };
}
