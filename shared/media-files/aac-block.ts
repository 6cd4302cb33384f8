/**
 * Finds where a block of AAC-LC (`raw_data_block` in ISO/IEC 14496-3) ends, without decoding it: decoders play each
 * block in a packet, so a second one lasts longer than the packet declares.
 */
import { type Bands, bandsAt, type WindowBands } from './aac-bands.ts';
import { bookOf, type CodeBook, escapeBook, scaleBook, shortBits } from './aac-codes.ts';
import { contradictory } from './media-fault.ts';
import { CutShort, PacketBits } from './packet-bits.ts';

const ids = { single: 0, pair: 1, lowFrequency: 3, data: 4, program: 5, fill: 6, end: 7 } as const;
const fillTypes = { dynamicRange: 11, replication: 13, checkedReplication: 14 } as const;
/** Section types: zeros, reserved, noise, and intensity stereo. */
const sectionTypes = { zero: 0, escapes: 11, reserved: 12, noise: 13 } as const;
const eightShort = 2;
const maxSections = 8 * 64;
/** The most one bits in a row with which an escape may begin. */
const maxEscapeOnes = 8;
/** The number of channels after which FFmpeg ends a list of excluded channels. */
const maxExclusions = 63;
const undecodable = () => contradictory('has sound that decoders cannot read: export it again');

interface Windows {
  readonly isShort: boolean;
  readonly bands: Bands;
  /** How many of the bands have coefficients. */
  readonly used: number;
  /** The number of windows in each group. */
  readonly groups: readonly number[];
}

export class AacBlocks {
  readonly #bands: WindowBands;
  readonly #packet = new PacketBits();
  /** The sections of a channel: their types, and how many bands and coefficients they have. */
  #sections = 0;
  readonly #types = new Uint8Array(maxSections);
  readonly #bandCounts = new Uint8Array(maxSections);
  readonly #coefficients = new Uint16Array(maxSections);

  /** `rateIndex` is the index of the sample rate in `aacRates`, which must have bands. */
  constructor(rateIndex: number) {
    const bands = bandsAt(rateIndex);
    if (!bands) throw undecodable();
    this.#bands = bands;
  }

  /**
   * The bytes of the first block in a packet; undefined if the packet ends within it.
   * @throws {MediaFault} contradictory, for a block that decoders read in different ways or not at all
   */
  bytesOf(packet: Uint8Array): number | undefined {
    if (!this.#packet.begin(packet)) throw undecodable();
    try {
      this.#elements();
    } catch (error) {
      if (error instanceof CutShort) return undefined;
      throw error;
    }
    return Math.ceil(this.#packet.at / 8);
  }

  #elements(): void {
    let hasSound = false;
    for (let id = this.#packet.bits(3); id !== ids.end; id = this.#packet.bits(3)) {
      const tag = this.#packet.bits(4);
      if (id === ids.single || id === ids.lowFrequency) this.#channel(undefined);
      else if (id === ids.pair) this.#pair();
      else if (id === ids.data) this.#data();
      else if (id === ids.program) this.#program();
      else if (id === ids.fill) this.#fill(tag === 15 ? tag + this.#packet.bits(8) - 1 : tag, hasSound);
      else throw undecodable();
      hasSound ||= id <= ids.lowFrequency;
    }
  }

  #data(): void {
    const isAligned = this.#packet.bits(1) === 1;
    const count = this.#packet.bits(8);
    const bytes = count === 255 ? count + this.#packet.bits(8) : count;
    if (isAligned) this.#packet.align();
    this.#packet.skip(8 * bytes);
  }

  /** Skips a program configuration element, which lists the elements of the block. */
  #program(): void {
    this.#packet.skip(2 + 4);
    const channels = this.#packet.bits(4) + this.#packet.bits(4) + this.#packet.bits(4);
    const [lowFrequency, data, coupling] = [this.#packet.bits(2), this.#packet.bits(3), this.#packet.bits(4)];
    for (const mixBits of [4, 4, 3]) if (this.#packet.bits(1)) this.#packet.skip(mixBits);
    this.#packet.skip(5 * (channels + coupling) + 4 * (lowFrequency + data));
    this.#packet.align();
    this.#packet.skip(8 * this.#packet.bits(8));
  }

  /** Padding and extensions, such as spectral band replication (SBR). */
  #fill(bytes: number, hasSound: boolean): void {
    for (let left = bytes; left > 0; ) {
      const type = this.#packet.bits(4);
      // If SBR data comes before any audio, decoders do not skip it.
      const isReplication = type === fillTypes.replication || type === fillTypes.checkedReplication;
      if (isReplication && !hasSound) throw undecodable();
      if (type === fillTypes.dynamicRange) left -= this.#dynamicRange();
      else {
        this.#packet.skip(8 * left - 4);
        left = 0;
      }
      // Some decoders read the whole range even if it is longer than the padding that contains it.
      if (left < 0) throw undecodable();
    }
  }

  /** Skips dynamic range control; returns its size in bytes, including the bits of its type. */
  #dynamicRange(): number {
    let bands = 1;
    const from = this.#packet.at - 4;
    if (this.#packet.bits(1)) this.#packet.skip(8);
    if (this.#packet.bits(1)) this.#exclusions();
    if (this.#packet.bits(1)) {
      bands += this.#packet.bits(4);
      this.#packet.skip(4 + 8 * bands);
    }
    if (this.#packet.bits(1)) this.#packet.skip(8);
    this.#packet.skip(8 * bands);
    return (this.#packet.at - from) / 8;
  }

  /** Skips the list of channels without dynamic range control, seven at a time. */
  #exclusions(): void {
    for (let count = 7; ; count += 7) {
      // Decoders end the list here, whether or not it goes on.
      if (count === maxExclusions) throw undecodable();
      this.#packet.skip(7);
      if (this.#packet.bits(1) === 0) return;
    }
  }

  #pair(): void {
    const windows = this.#packet.bits(1) ? this.#windows() : undefined;
    if (windows) {
      const mask = this.#packet.bits(2);
      if (mask === 3) throw undecodable();
      if (mask === 1) this.#packet.skip(windows.groups.length * windows.used);
    }
    this.#channel(windows);
    this.#channel(windows);
  }

  /** Skips a channel, which has its own window information or shares that of its pair. */
  #channel(common: Windows | undefined): void {
    this.#packet.skip(8);
    const windows = common ?? this.#windows();
    this.#readSections(windows);
    this.#scaleFactors();
    if (this.#packet.bits(1)) this.#pulses(windows);
    if (this.#packet.bits(1)) this.#noiseShaping(windows);
    // Rejects gain control: decoders read it in different ways, and no encoder of AAC-LC uses it.
    if (this.#packet.bits(1)) throw undecodable();
    this.#spectrum();
  }

  #windows(): Windows {
    this.#packet.skip(1);
    const isShort = this.#packet.bits(2) === eightShort;
    this.#packet.skip(1);
    const bands = isShort ? this.#bands.short : this.#bands.long;
    const used = this.#packet.bits(isShort ? 4 : 6);
    const [groups, windows] = [[1], isShort ? 8 : 1];
    for (let window = 1; window < windows; window += 1) {
      if (this.#packet.bits(1)) groups.push((groups.pop() ?? 0) + 1);
      else groups.push(1);
    }
    // AAC-LC has no prediction.
    if (!isShort && this.#packet.bits(1)) throw undecodable();
    if (used >= bands.length) throw undecodable();
    return { isShort, bands, used, groups };
  }

  #readSections({ isShort, bands, used, groups }: Windows): void {
    const bits = isShort ? 3 : 5;
    this.#sections = 0;
    for (const group of groups) {
      for (let band = 0; band < used; ) {
        const type = this.#packet.bits(4);
        if (type === sectionTypes.reserved) throw undecodable();
        let last = band;
        for (let more = 2 ** bits - 1; more === 2 ** bits - 1; last += more) more = this.#packet.bits(bits);
        if (last > used) throw undecodable();
        if (last === band) continue;
        this.#types[this.#sections] = type;
        this.#bandCounts[this.#sections] = last - band;
        this.#coefficients[this.#sections] = group * ((bands[last] ?? 0) - (bands[band] ?? 0));
        this.#sections += 1;
        band = last;
      }
    }
  }

  #scaleFactors(): void {
    let hasNoise = false;
    for (let section = 0; section < this.#sections; section += 1) {
      const type = this.#types[section];
      if (type === sectionTypes.zero) continue;
      for (let left = this.#bandCounts[section] ?? 0; left > 0; left -= 1) {
        if (type === sectionTypes.noise && !hasNoise) {
          hasNoise = true;
          this.#packet.skip(9);
        } else this.#packet.skip(scaleBook.wordIn(this.#packet.next(this.#packet.at)) >> 4);
      }
    }
  }

  #pulses({ isShort }: Windows): void {
    if (isShort) throw undecodable();
    const count = this.#packet.bits(2) + 1;
    this.#packet.skip(6 + 9 * count);
  }

  /** Temporal noise shaping (TNS). */
  #noiseShaping({ isShort }: Windows): void {
    const [countBits, lengthBits, orderBits, highest] = isShort ? [1, 4, 3, 7] : [2, 6, 5, 12];
    for (let window = isShort ? 8 : 1; window > 0; window -= 1) {
      const filters = this.#packet.bits(countBits);
      const resolution = filters > 0 ? this.#packet.bits(1) + 3 : 0;
      for (let filter = 0; filter < filters; filter += 1) {
        this.#packet.skip(lengthBits);
        const order = this.#packet.bits(orderBits);
        if (order > highest) throw undecodable();
        if (order === 0) continue;
        this.#packet.skip(1);
        this.#packet.skip(order * (resolution - this.#packet.bits(1)));
      }
    }
  }

  #spectrum(): void {
    for (let section = 0; section < this.#sections; section += 1) {
      const [type = 0, count = 0] = [this.#types[section], this.#coefficients[section]];
      if (type === sectionTypes.zero || type > sectionTypes.escapes) continue;
      // A code word of the first four codebooks encodes four coefficients, and one of the others encodes two.
      const words = count / (type <= 4 ? 4 : 2);
      this.#packet.at = type === sectionTypes.escapes ? this.#escapedWords(words) : this.#words(bookOf(type), words);
      if (this.#packet.at > this.#packet.end) throw new CutShort();
    }
  }

  /** Skips code words of a codebook with their sign bits; returns where the last one ends. */
  #words(book: CodeBook, count: number): number {
    const { short } = book;
    let at = this.#packet.at;
    for (let left = count; left > 0 && at <= this.#packet.end; left -= 1) {
      const next = this.#packet.next(at);
      const bits = short[next >>> (32 - shortBits)] ?? 0;
      if (bits > 0) at += bits;
      else {
        const word = book.wordIn(next);
        at += (word >> 4) + (word & 15);
      }
    }
    return at;
  }

  /**
   * Skips code words of the codebook with escapes. An escape follows the sign bits: as many ones as it has bits beyond
   * four, a zero, and these bits.
   */
  #escapedWords(count: number): number {
    const { short } = escapeBook;
    let at = this.#packet.at;
    for (let left = count; left > 0 && at <= this.#packet.end; left -= 1) {
      const next = this.#packet.next(at);
      const bits = short[next >>> (32 - shortBits)] ?? 0;
      if (bits > 0) {
        at += bits;
        continue;
      }
      const word = escapeBook.wordIn(next);
      const digit = word & 15;
      at += (word >> 4) + (digit % 3);
      for (let escapes = Math.floor(digit / 3); escapes > 0; escapes -= 1) {
        const ones = Math.clz32(~this.#packet.next(at));
        if (ones > maxEscapeOnes) throw undecodable();
        at += ones + 1 + ones + 4;
      }
    }
    return at;
  }
}
