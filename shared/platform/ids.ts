/** The only source of ids and randomness. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

export interface Ids {
  /**
   * A new UUIDv7: ids sort by creation time, even within one millisecond of one process; clients must treat them as
   * opaque.
   */
  next(): string;
  /** A random secret of the given number of bytes, as lower-case hex. */
  secret(bytes: number): string;
}

/**
 * A UUIDv7 by RFC 9562: 48 bits of milliseconds, the version, a 32-bit counter within the millisecond (split around the
 * variant bits), and 42 random bits.
 */
function uuidV7(milliseconds: number, sequence: number, bytes = randomBytes(16)): string {
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | (sequence >>> 20), 6);
  bytes.writeUInt16BE(0x8000 | ((sequence >>> 6) & 0x3fff), 8);
  bytes.writeUInt8(((sequence & 0x3f) << 2) | (bytes.readUInt8(10) & 0x03), 10);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** An id that sorts after all UUIDv7s of earlier milliseconds and not after those of this or later ones. */
export const firstIdAt = (ms: number): string => uuidV7(Math.max(0, ms), 0, Buffer.alloc(16));

/** The creation time of a UUIDv7, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Packs an id into 16 bytes, for places where its text would be too long. */
export const packId = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

export const unpackId = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const randomIds = (clock: Clock): Ids => {
  let latest = 0;
  let sequence = 0;
  return {
    next() {
      const now = clock.now();
      sequence = now === latest ? sequence + 1 : randomInt(2 ** 31);
      latest = now;
      return uuidV7(now, sequence);
    },
    secret: (bytes) => randomBytes(bytes).toString('hex'),
  };
};
