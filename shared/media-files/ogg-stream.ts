/** A logical stream of an Ogg file: its codec, its packets and its granule positions. */
import { agreedSeconds } from './agreed-seconds.ts';
import { flacStreamIn } from './flac-frame.ts';
import { contradictory, MediaFault, unmeasurable, unreadable } from './media-fault.ts';
import { flacClock, opusClock, type PacketClock, vorbisPacketClock } from './packet-clock.ts';
import { speexClock } from './speex-clock.ts';
import type { Work } from './work.ts';

/** The most header packets of a stream; those of FLAC are comments, pictures and indexes. */
const mostHeaders = 64;
/** The most bytes of a header packet: enough for the setup header of Vorbis, which has a few kilobytes. */
const longestHeader = 2 ** 18;

interface Codec {
  /** The number of packets before the audio; infinite if the audio is recognized by its first byte. */
  readonly headers: number;
  /** Whether decoders would take the parameters of the stream from a further header instead. */
  readonly isReplacing?: (header: Buffer) => boolean;
  /** The number of samples at the beginning that are not played. */
  readonly skipped: number;
  /** Whether decoders play such a stream for its declared duration even if it follows another stream in the file. */
  readonly isChainable: boolean;
  /**
   * The parameters that decoders take from a file's first stream of the codec and apply to all others; undefined if
   * there are none.
   */
  readonly format?: string;
  /** Creates the packet clock from all header packets. */
  readonly clock: (headers: readonly Buffer[], work: Work) => PacketClock;
}

const marks = {
  opus: 'OpusHead',
  vorbis: '\x01vorbis',
  speex: 'Speex   ',
  flac: '\x7fFLAC',
  theora: '\x80theora',
  skeleton: 'fishead\0',
  kate: '\x80kate\0\0\0',
  cmml: 'CMML\0\0\0\0',
} as const;

/** The first bytes of streams without audio or video: indexes and texts. */
const silent = [marks.skeleton, marks.kate, marks.cmml];

/**
 * The codec, by the first packet; undefined for a stream of indexes or texts. @throws {MediaFault} unmeasurable, for a
 * picture and for an unknown codec
 */
function codecOf(first: Buffer): Codec | undefined {
  const begins = (mark: string) => first.toString('latin1', 0, mark.length) === mark;
  if (begins(marks.opus)) {
    if (first.length < 19) throw unreadable();
    return { headers: 2, skipped: first.readUInt16LE(10), isChainable: true, clock: () => opusClock };
  }
  if (begins(marks.vorbis)) {
    return {
      headers: 3,
      skipped: 0,
      isChainable: true,
      clock: ([head, , setup], work) => vorbisPacketClock(head ?? first, setup ?? first, work),
    };
  }
  if (begins(marks.speex)) {
    if (first.length < 80) throw unreadable();
    // A Speex header may declare further headers, but some decoders play these as audio.
    return { headers: 2, skipped: 0, isChainable: false, clock: (_, work) => speexClock(first, work) };
  }
  if (begins(marks.flac)) {
    if (first.length < 51) throw unreadable();
    const stream = flacStreamIn(first.subarray(17));
    return {
      // Decoders ignore the declared number, and take each first packet as a header until there is a frame.
      headers: Number.POSITIVE_INFINITY,
      isReplacing: ([type = 0]) => (type & 0x7f) === 0x7f || (type & 0x7f) === 0,
      skipped: 0,
      isChainable: true,
      format: JSON.stringify([stream.sampleRate, stream.bits, stream.maxSamples]),
      clock: (_, work) => flacClock(stream, work),
    };
  }
  if (begins(marks.theora)) {
    throw new MediaFault('unmeasurable', 'contains a picture in a codec whose duration cannot be measured (Theora)');
  }
  if (silent.some(begins)) return undefined;
  throw unmeasurable('Ogg stream of an unknown codec');
}

/** The packet segments of a page, as positions in `bytes`: first a table of their lengths, then their contents. */
export interface PageParts {
  readonly bytes: Buffer;
  readonly table: number;
  readonly count: number;
  readonly content: number;
  /** Whether the first segment continues the last packet of the previous page. */
  readonly isContinued: boolean;
}

export class OggStream {
  kind: 'sound' | 'other' | undefined;
  #codec: Codec | undefined;
  #clock: PacketClock | undefined;
  #headers: Buffer[] = [];
  #packet: Buffer[] = [];
  #packetBytes = 0;
  #samples = 0;
  /** The granule positions before the first audio and after the last. */
  #firstGranule: number | undefined;
  #lastGranule = 0;
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  /** Whether the next page may contain headers, which decide how the rest is played. */
  get isInHeaders(): boolean {
    return this.kind !== 'other' && !this.#clock;
  }

  get format(): string | undefined {
    return this.#codec?.format;
  }

  add({ bytes, table, count, content, isContinued }: PageParts): void {
    // Some decoders treat an unfinished packet as a packet of its own.
    if (!isContinued && this.#packetBytes > 0) this.#end();
    let [at, length, samples] = [content, 0, 0];
    for (let part = table, clock = this.#wholeClock(); part < table + count; part += 1) {
      const size = bytes[part] ?? 0;
      length += size;
      if (size === 255) continue;
      // Most packets are within a page and need not be assembled.
      if (clock) samples += clock.samplesAt(bytes, at, length);
      else {
        this.#addPart(bytes.subarray(at, at + length), true);
        clock = this.#wholeClock();
      }
      at += length;
      length = 0;
    }
    this.#samples += samples;
    if (length > 0) this.#addPart(bytes.subarray(at, at + length), false);
  }

  /** The packet clock; undefined while headers are read, and in the middle of a packet. */
  #wholeClock(): PacketClock | undefined {
    return this.#packetBytes === 0 ? this.#clock : undefined;
  }

  /** Adds a segment of a packet; `isLast` marks its end. */
  #addPart(part: Buffer, isLast: boolean): void {
    const isHeader = !this.#clock;
    const max = this.#clock ? Math.max(0, this.#clock.headBytes - this.#packetBytes) : part.length;
    const kept = part.subarray(0, max);
    if (this.kind === undefined || this.kind === 'sound') {
      if (kept.length > 0) this.#packet.push(kept);
      this.#packetBytes += part.length;
      if (isHeader && this.#packetBytes > longestHeader) throw contradictory('has headers without end');
    }
    if (isLast) this.#end();
  }

  #end(): void {
    this.#work.visit();
    const [packet, bytes] = [Buffer.concat(this.#packet), this.#packetBytes];
    this.#packet = [];
    this.#packetBytes = 0;
    this.#take(packet, bytes);
  }

  #take(packet: Buffer, bytes: number): void {
    if (this.kind === undefined) this.#identify(packet);
    if (!this.#codec) return;
    if (!this.#clock) {
      this.#headers.push(packet);
      if (this.#headers.length > mostHeaders) throw contradictory('has headers without end');
      const isSound = packet[0] === 0xff && this.#headers.length > 1;
      const isFurther = this.#headers.length > 1 && !isSound;
      if (isFurther && this.#codec.isReplacing?.(packet)) throw contradictory('describes itself twice');
      if (this.#headers.length < this.#codec.headers && !isSound) return;
      this.#clock = this.#codec.clock(this.#headers, this.#work);
      this.#headers = [];
      if (!isSound) return;
    }
    this.#samples += this.#clock.samplesAt(packet, 0, bytes);
  }

  #identify(packet: Buffer): void {
    this.#codec = codecOf(packet);
    this.kind = this.#codec ? 'sound' : 'other';
  }

  /** Records the end position that a page declares. */
  granule(position: number): void {
    if (!this.#clock || position < 0) return;
    this.#firstGranule ??= Math.max(0, position - this.#samples);
    this.#lastGranule = position;
  }

  /**
   * The duration of the stream. In a stream that follows another one, even what could be padding counts, because the
   * padding of many short streams would add up.
   * @throws {MediaFault} contradictory
   */
  seconds(isFirst: boolean): number {
    if (!this.#clock || !this.#codec) return 0;
    if (!isFirst && !this.#codec.isChainable) throw unmeasurable('Speex behind another stream');
    const { sampleRate } = this.#clock;
    const skipped = this.#codec.skipped;
    const played = Math.max(0, this.#samples - skipped);
    if (this.#firstGranule === undefined) return (isFirst ? played : this.#samples) / sampleRate;
    const declared = Math.max(0, this.#lastGranule - this.#firstGranule - skipped);
    const agreed = agreedSeconds('sound', played / sampleRate, declared / sampleRate);
    return isFirst ? agreed : Math.max(agreed, this.#samples / sampleRate);
  }
}
