/** Limits the work of measuring one file, in units that do not depend on the machine and in CPU time. */
import { threadCpuMs } from '../platform/clock.ts';
import { type Random, unpredictable } from '../platform/random.ts';
import { excessive } from './media-fault.ts';

export const workLimits = {
  /** The limit of structural elements: boxes, pages, frames, blocks and chunks. */
  elements: 300_000,
  /** The limit of runs and numbers in tables, which take a few nanoseconds each. */
  entries: 5_000_000,
  /** The limit of bytes that are searched: more than a recording may have. */
  scanned: 32 * 2 ** 20,
  /**
   * The most bytes of audio whose frames are all counted, at 70 MB per second: five minutes of most recordings. Of more
   * audio, a random part is.
   */
  examined: 4 * 2 ** 20,
  /** The limit of CPU time in milliseconds, a last resort: the largest files take half of it. */
  milliseconds: 180,
} as const;

/** The current time in milliseconds. */
export type Timer = () => number;

/** How many elements of work a packet of audio takes, however short it is. */
const elementsOfPacket = 2;

/** The share of audio that is examined, if all of it has this size. */
const examinedShare = (ofBytes: number): number => Math.min(1, workLimits.examined / ofBytes);

/** How many elements it takes to examine packets; `ofBytes` is the size of all of them. */
export const elementsToExamine = (packets: number, ofBytes: number): number =>
  packets * elementsOfPacket * examinedShare(ofBytes);

/** How much work is done between two checks of the time; it takes less than a millisecond. */
const unwatched = { elements: 512, entries: 65_536, scanned: 65_536 } as const;

export class Work {
  elements = 0;
  entries = 0;
  scanned = 0;
  examined = 0;
  /** The size of the file, if known. */
  fileBytes: number | undefined;
  #sound = 0;
  #squares = 0;
  readonly #timer: Timer;
  /** The work since the last check of the time, as a share of the work between two checks. */
  #unwatched = 0;
  #spentMs = 0;
  #resumedAt: number;

  /** An unpredictable number from 0 up to 1, so that no file can be made to pass by luck alone. */
  readonly random: Random;

  constructor(timer: Timer = threadCpuMs, random: Random = unpredictable) {
    this.#timer = timer;
    this.random = random;
    this.#resumedAt = timer();
  }

  /** Stops the clock while the walk waits for bytes. */
  pause(): void {
    this.#spentMs += this.#timer() - this.#resumedAt;
  }

  resume(): void {
    this.#resumedAt = this.#timer();
  }

  #watch(share: number): void {
    this.#unwatched += share;
    if (this.#unwatched < 1) return;
    this.#unwatched = 0;
    if (this.#spentMs + this.#timer() - this.#resumedAt > workLimits.milliseconds) throw excessive();
  }

  /** Counts elements. @throws {MediaFault} excessive */
  visit(elements = 1): void {
    if (this.elements + elements > workLimits.elements) throw excessive();
    this.elements += elements;
    this.#watch(elements / unwatched.elements);
  }

  /** Counts table entries. @throws {MediaFault} excessive */
  enter(entries: number): void {
    if (this.entries + entries > workLimits.entries) throw excessive();
    this.entries += entries;
    this.#watch(entries / unwatched.entries);
  }

  /** Counts searched bytes. @throws {MediaFault} excessive */
  scan(bytes: number): void {
    if (this.scanned + bytes > workLimits.scanned) throw excessive();
    this.scanned += bytes;
    this.#watch(bytes / unwatched.scanned);
  }

  /** Refuses elements that would exceed the limit, before any of them is read. @throws {MediaFault} excessive */
  requireRoom(elements: number): void {
    if (this.elements + elements > workLimits.elements) throw excessive();
  }

  /**
   * Whether to examine the next bytes of sound; `ofBytes` is the size of all sound, if known. Everything up to the
   * limit is examined; of more sound, an unpredictable part that is as large as the limit. Packets larger than `usual`
   * have more room for hidden frames, so they are more likely to be examined. If the size of all sound is not known,
   * all of the file may be sound: its first bytes up to the limit are examined, and of the rest of the file a part half
   * as large. @throws {MediaFault} excessive
   */
  examines(bytes: number, ofBytes?: number, usual = this.#usual(bytes)): boolean {
    this.#sound += bytes;
    this.#squares += bytes ** 2;
    const part = ofBytes === undefined ? this.#shareOfRest() : examinedShare(Math.max(this.#sound, ofBytes));
    const share = part < 1 ? (part * bytes) / usual : 1;
    if (share < 1 && this.random() >= share) return false;
    this.examined += bytes;
    this.#watch(bytes / unwatched.scanned);
    // Packets take time even if they have few bytes.
    this.visit(elementsOfPacket);
    return true;
  }

  /** The average size of the packet that a random byte of the audio so far belongs to. */
  #usual(bytes: number): number {
    return (this.#squares + bytes ** 2) / (this.#sound + bytes);
  }

  /** The part of the next bytes to examine if the size of all sound is not known. */
  #shareOfRest(): number {
    const { examined, scanned } = workLimits;
    if (this.#sound <= examined) return 1;
    return examined / 2 / (Math.max(this.#sound, this.fileBytes ?? scanned) - examined);
  }
}
