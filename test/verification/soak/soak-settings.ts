/** The length and intensity of the load. */
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';

export interface SoakSettings {
  /** When the load ends: after a time, or after so many requests, whichever is given; settling comes on top. */
  readonly seconds?: number;
  readonly requests?: number;
  readonly seed: number;
  /** The long form is for `npm run soak`: it also has what takes minutes to get over, and judges memory strictly. */
  readonly isLong: boolean;
  /** How many requests are under way at any time. */
  readonly concurrency: number;
  readonly accounts: number;
  readonly tokensPerAccount: number;
  /** What the state machine's waits are multiplied with: a lost callback is asked for after three seconds. */
  readonly pace: number;
  /** How long everything may take to end after the load. */
  readonly settleMs: number;
  /** How often memory is looked at, and for how long nothing is asked before, so that less is under way. */
  readonly sampleEveryMs: number;
  readonly breatherMs: number;
}

const shortRequests = 160;
const longSeconds = 60;

function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, and is "${text}".`);
  return Number(text);
}

/** From `SOAK_SECONDS` and `SOAK_SEED`. @throws {Error} a sentence about what is wrong. */
export function soakSettings(environment: Readonly<Record<string, string | undefined>>): SoakSettings {
  const seconds = numberIn('SOAK_SECONDS', environment.SOAK_SECONDS);
  const anySeed = () => Number.parseInt(randomIds(systemClock).secret(3), 16);
  const isLong = (seconds ?? 0) >= longSeconds;
  return {
    ...(seconds === undefined ? { requests: shortRequests } : { seconds }),
    seed: numberIn('SOAK_SEED', environment.SOAK_SEED) ?? anySeed(),
    isLong,
    concurrency: 12,
    accounts: isLong ? 24 : 8,
    tokensPerAccount: isLong ? 12 : 8,
    pace: 0.05,
    // A message whose worker failed comes back after a minute and a half, and may then have all attempts before it.
    settleMs: 180_000,
    sampleEveryMs: isLong ? 6000 : 1000,
    breatherMs: isLong ? 500 : 50,
  };
}
