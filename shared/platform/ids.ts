/** The only place that makes ids and randomness. */
import { randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

export interface Ids {
  /** A UUIDv7: sorts by creation time, within one process also inside a millisecond; opaque to clients. */
  next(): string;
  /** Unguessable lower-case hex of so many bytes. */
  secret(bytes: number): string;
}

/** Not after any UUIDv7 of that millisecond or a later one, and after all of earlier ones. */
export const firstIdAt = (ms: number): string => v7({ msecs: Math.max(0, ms), seq: 0, random: new Uint8Array(16) });

export const randomIds = (clock: Clock): Ids => {
  let latest = 0;
  let sequence = 0;
  return {
    next() {
      const now = clock.now();
      sequence = now === latest ? sequence + 1 : randomInt(2 ** 31);
      latest = now;
      return v7({ msecs: now, seq: sequence });
    },
    secret: (bytes) => randomBytes(bytes).toString('hex'),
  };
};
