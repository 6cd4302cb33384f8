/** Reads the bits of a packet; the highest bit of each byte comes first. */

/** The error for a packet that ends before the bits that were to be read. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}
/**
 * One instance, thrown every time: a new error would capture a stack trace, which takes longer than reading a packet.
 */
const cutShort = new CutShort();

/** The most bytes of a packet, with room to read beyond its end. */
const roomBytes = 2 ** 14;
const longestRead = 4;

export class PacketBits {
  /** The packet is copied, because reading beyond the end of an array is slow. */
  readonly #bytes = new Uint8Array(roomBytes);
  at = 0;
  end = 0;

  /** Begins to read a packet; returns whether it is short enough. */
  begin(packet: Uint8Array): boolean {
    if (packet.length > roomBytes - longestRead) return false;
    this.#bytes.set(packet);
    this.#bytes.fill(0, packet.length, packet.length + longestRead);
    this.at = 0;
    this.end = 8 * packet.length;
    return true;
  }

  /** A 32-bit integer whose highest bits are the next bits of the packet, at least 25 of them. */
  next(at: number): number {
    const [bytes, byte] = [this.#bytes, at >> 3];
    const word =
      ((bytes[byte] ?? 0) << 24) |
      ((bytes[byte + 1] ?? 0) << 16) |
      ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0);
    return word << (at & 7);
  }

  /** @throws {CutShort} */
  skip(bits: number): void {
    this.at += bits;
    if (this.at > this.end) throw cutShort;
  }

  /** Up to 25 bits. @throws {CutShort} */
  bits(count: number): number {
    const bits = this.next(this.at) >>> (32 - count);
    this.skip(count);
    return bits;
  }

  /** Skips the rest of a byte. */
  align(): void {
    this.skip(-this.at & 7);
  }
}
