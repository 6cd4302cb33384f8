/** When the blocks of a WebM or Matroska are played, and how much audio they contain. */
import { agreedSeconds } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { sizeNumberAt } from './matroska-elements.ts';
import { type MatroskaTrack, packetsIn, type Tracks } from './matroska-tracks.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import { largestExamined, type PictureCheck } from './picture-check.ts';
import type { Work } from './work.ts';

/** A contiguous section of a track, in units of the file; a file whose middle is not read has two. */
interface Part {
  first: number;
  last: number;
  /** The duration of the last block, if known. */
  lasting: number;
  /** When the last block of a known duration ends. */
  until: number;
  frames: number;
  seconds: number;
  lastSec: number;
}

const emptyPart = (): Part => ({
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  lasting: 0,
  until: Number.NEGATIVE_INFINITY,
  frames: 0,
  seconds: 0,
  lastSec: 0,
});

const largestBlock = 2 ** 20;
/**
 * For codecs whose pictures must be examined: how many bytes of them are examined completely, and how large the random
 * sample of the remaining ones is.
 */
const examinedPictures = 16 * 2 ** 20;
const blockHeadBytes = 24;

export interface MatroskaLengths {
  readonly picture: MatroskaTrack | undefined;
  /**
   * The number of video frames and their duration; in a file whose middle is not read, only of the frames that were
   * read.
   */
  readonly frames: number;
  readonly framesSec: number;
  readonly videoSec: number | undefined;
  readonly soundSec: number | undefined;
  readonly durationSec: number;
}

export class MatroskaTimes {
  /** The timestamp of the current cluster; undefined until it has been read. */
  #clusterAt: number | undefined;
  readonly #tracks: readonly MatroskaTrack[];
  readonly #byNumber: ReadonlyMap<number, MatroskaTrack>;
  readonly #silent: ReadonlySet<number>;
  #parts: Map<number, Part>[] = [new Map()];
  /** The sections whose duration is known from the timestamp of the cluster that follows. */
  readonly #timed: { readonly parts: ReadonlyMap<number, Part>; readonly units: number }[] = [];
  /**
   * The block in the current group: its section of the track, its time and its duration, which may be read in either
   * order.
   */
  #group: { part: Part | undefined; time: number; lasting: number } = { part: undefined, time: 0, lasting: 0 };

  readonly #checksPictures: boolean;
  /** The size of all pictures so far. */
  #pictureBytes = 0;

  constructor({ tracks, silent }: Tracks, checksPictures: boolean) {
    this.#checksPictures = checksPictures;
    this.#tracks = tracks;
    this.#byNumber = new Map(tracks.map((track) => [track.number, track]));
    this.#silent = new Set(silent);
    const numbers = new Set([...this.#byNumber.keys(), ...silent]);
    if (numbers.size < tracks.length + silent.length) throw contradictory('has two tracks with the same number');
  }

  get clusterAt(): number {
    return this.#clusterAt ?? 0;
  }

  beginCluster(): void {
    this.#clusterAt = undefined;
  }

  /**
   * Sets the timestamp of the current cluster. A second one is rejected, because decoders would apply it to the blocks
   * after it.
   * @throws {MediaFault} contradictory
   */
  clusterBeginsAt(time: number): void {
    if (this.#clusterAt !== undefined) throw contradictory('has a cluster with two times');
    this.#clusterAt = time;
  }

  /** Starts a new section after a gap in what is read; `units` is how long the section lasts, if known. */
  leap(units?: number): void {
    const parts = new Map<number, Part>();
    this.#parts.push(parts);
    if (units !== undefined) this.#timed.push({ parts, units });
  }

  beginGroup(): void {
    this.#group = { part: undefined, time: 0, lasting: 0 };
  }

  groupLasts(units: number): void {
    this.#group.lasting = units;
    this.#addLasting();
  }

  #addLasting(): void {
    const { part, time, lasting } = this.#group;
    if (!part || lasting === 0) return;
    part.until = Math.max(part.until, time + lasting);
    if (time === part.last) part.lasting = lasting;
  }

  *block(file: FileWindow, content: number, end: number, work: Work): Walk<void> {
    const length = end - content;
    const headBytes = Math.min(length, blockHeadBytes);
    if (length < 4 || !(file.has(content, headBytes) || (yield* file.load(content, headBytes)))) throw truncated();
    const head = file.view(content, headBytes);
    const number = sizeNumberAt(head, 0);
    if (!number || head.length < number.length + 3) throw unreadable();
    const track = this.#byNumber.get(number.value ?? -1);
    const at = number.length + 3;
    const lacing = ((head[at - 1] ?? 0) >> 1) & 3;
    if (!track) {
      // Decoders look for the next cluster inside a block whose track they do not know.
      if (!this.#silent.has(number.value ?? -1)) throw contradictory('has media of a track that it does not describe');
      return;
    }
    const part = this.#partOf(track.number);
    if (this.#clusterAt === undefined) throw contradictory('has a cluster with media before its time');
    const time = this.#clusterAt + head.readInt16BE(number.length);
    part.first = Math.min(part.first, time);
    part.frames += 1;
    // Decoders move the timestamp of such a video frame.
    if (!track.clock && time < 0) throw contradictory('has a picture before its beginning');
    if (!track.clock && lacing !== 0) throw contradictory('has several pictures in a block');
    if (track.pictureCheck) yield* this.#checkPicture(file, content + at, length - at, track.pictureCheck, work);
    if (track.clock) part.lastSec = yield* this.#soundIn(file, { content, length, at, lacing }, track, work);
    part.seconds += part.lastSec;
    if (time >= part.last) {
      part.last = time;
      part.lasting = 0;
    }
    this.#group.part = part;
    this.#group.time = time;
    this.#addLasting();
  }

  /** Checks a picture: all at the beginning of a file, and an unpredictable choice of the others. */
  *#checkPicture(file: FileWindow, at: number, bytes: number, check: PictureCheck, work: Work): Walk<void> {
    if (!this.#checksPictures) return;
    this.#pictureBytes += bytes;
    const share = examinedPictures / (work.fileBytes ?? Number.POSITIVE_INFINITY);
    if (this.#pictureBytes > examinedPictures && work.random() >= share) return;
    const examined = Math.min(bytes, largestExamined);
    if (!(file.has(at, examined) || (yield* file.load(at, examined)))) throw truncated();
    check(file.view(at, examined), bytes);
  }

  *#soundIn(
    file: FileWindow,
    { content, length, at, lacing }: { content: number; length: number; at: number; lacing: number },
    { clock, prefix }: MatroskaTrack,
    work: Work,
  ): Walk<number> {
    if (!clock) return 0;
    if (lacing === 0) {
      const bytes = length - at;
      const needed = Math.min(bytes, clock.headBytes);
      if (!(file.has(content + at, needed) || (yield* file.load(content + at, needed)))) throw truncated();
      if (prefix.length === 0) return clock.samplesAt(file.bytes, content + at - file.start, bytes) / clock.sampleRate;
      const whole = Buffer.concat([prefix, file.view(content + at, needed)]);
      return clock.samplesAt(whole, 0, prefix.length + bytes) / clock.sampleRate;
    }
    if (length > largestBlock) throw excessive();
    if (!(yield* file.load(content, length))) throw truncated();
    let samples = 0;
    for (const packet of packetsIn(file.view(content, length), at, lacing, work)) {
      work.visit();
      const whole = prefix.length > 0 ? Buffer.concat([prefix, packet]) : packet;
      samples += clock.samplesAt(whole, 0, whole.length);
    }
    return samples / clock.sampleRate;
  }

  #partOf(number: number): Part {
    const parts = this.#parts.at(-1) ?? new Map<number, Part>();
    const known = parts.get(number);
    if (known) return known;
    const part = emptyPart();
    parts.set(number, part);
    return part;
  }

  /** The duration of a section of audio by its blocks' times, compared with its packets. */
  #soundSpan(part: Part, clock: number, isAlone: boolean): number {
    const declared = (part.last - part.first) * clock + part.lastSec;
    // In a file with a video track, audio may have pauses.
    return !isAlone && declared > part.seconds ? declared : agreedSeconds('sound', part.seconds, declared);
  }

  /** Requires that a track has no more audio than fits into the sections whose duration is known. */
  #requireRoom({ number }: MatroskaTrack, clock: number): void {
    let [seconds, units] = [0, 0];
    for (const section of this.#timed) {
      seconds += section.parts.get(number)?.seconds ?? 0;
      units += section.units;
    }
    const room = Math.max(0, units * clock);
    if (seconds > room) agreedSeconds('sound', seconds, room);
  }

  /** The measured durations; `clock` is the length of a unit in seconds. @throws {MediaFault} contradictory */
  lengths(clock: number): MatroskaLengths {
    const picture = this.#tracks.find((track) => !track.clock);
    const sounds = this.#tracks.filter((track) => track.clock);
    const begin = Math.min(...this.#parts.flatMap((parts) => [...parts.values()].map(({ first }) => first)));
    const partsOf = ({ number }: MatroskaTrack) => this.#parts.flatMap((parts) => parts.get(number) ?? []);
    const endOf = (track: MatroskaTrack) =>
      Math.max(
        0,
        ...partsOf(track).map((part) => (part.last - begin) * clock + this.#lastSec(track, part, clock)),
        ...(track.clock ? [] : partsOf(track).map(({ until }) => (until - begin) * clock)),
      );
    const soundSecs = sounds.map((track) => {
      this.#requireRoom(track, clock);
      const parts = partsOf(track);
      const spans = parts.map((part) => this.#soundSpan(part, clock, !picture));
      const from = Math.min(...parts.map(({ first }) => first)) - begin;
      return parts.length === 1 ? from * clock + (spans[0] ?? 0) : endOf(track);
    });
    const videoSec = picture && endOf(picture);
    const pictures = picture ? partsOf(picture) : [];
    const framesSec = pictures.reduce(
      (sum, part) => sum + (part.last - part.first) * clock + (picture ? this.#lastSec(picture, part, clock) : 0),
      0,
    );
    const finite = [videoSec ?? 0, ...soundSecs].filter(Number.isFinite);
    return {
      picture,
      frames: pictures.reduce((sum, part) => sum + part.frames, 0),
      framesSec,
      videoSec,
      soundSec: sounds.length > 0 ? Math.max(0, ...soundSecs.filter(Number.isFinite)) : undefined,
      durationSec: Math.max(0, ...finite),
    };
  }

  #lastSec({ clock: sound, frameSec }: MatroskaTrack, part: Part, clock: number): number {
    if (sound) return part.lastSec;
    if (part.lasting > 0) return part.lasting * clock;
    if (frameSec > 0) return frameSec;
    return part.frames > 1 ? ((part.last - part.first) * clock) / (part.frames - 1) : 0;
  }
}
