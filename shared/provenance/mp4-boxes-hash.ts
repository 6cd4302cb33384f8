/**
 * Reads the boxes of an MP4 file as they arrive, and computes the hash by which C2PA binds a manifest to such a file.
 */
import { createHash } from 'node:crypto';
import { UnmarkableFile } from '../platform/unmarkable-file.ts';

/** The user type of the box with a manifest. */
export const manifestType = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');

/** Boxes that the hash leaves out, because players skip them or programs rewrite them. */
const unhashed = ['ftyp', 'mfra', 'free', 'skip'];

/** The largest box that is kept in memory: a manifest that the engine has added, or the file type box. */
const maxCollectedBytes = 8 * 2 ** 20;

/** The largest header: the size, the type, the large size and the user type of a box. */
const maxHeaderBytes = 32;

export interface HashedBoxes {
  /** The assertion that binds a manifest to the boxes, wherever the box with the manifest is. */
  readonly assertion: { readonly label: string; readonly data: object };
  /** A file that has only the file type box and, if there is one, the manifest that the file already had. */
  readonly skeleton: Uint8Array<ArrayBuffer>;
}

interface Box {
  /** How many of its bytes have not arrived yet. */
  left: number;
  readonly isHashed: boolean;
  /** Where its bytes are collected. */
  readonly collected?: Buffer[] | undefined;
}

function bigEndian64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** The length of a box's header, as far as it is known from its first bytes. */
function headerBytes(header: Buffer): number {
  if (header.length < 8) return 8;
  const sized = header.readUInt32BE(0) === 1 ? 16 : 8;
  return header.toString('latin1', 4, 8) === 'uuid' ? sized + manifestType.length : sized;
}

const sizeIn = (header: Buffer): number => {
  const size = header.readUInt32BE(0);
  return size === 1 ? Number(header.readBigUInt64BE(8)) : size;
};

const unmarkable = (why: string): Error => new UnmarkableFile(`an MP4 file cannot be marked: ${why}`);

/** The hash of a file that is read from its beginning. */
export class Mp4BoxesHash {
  readonly #bytes: number | undefined;
  readonly #hash = createHash('sha256');
  readonly #types: Buffer[] = [];
  readonly #manifests: Buffer[] = [];
  /** The beginning of a header that is not complete yet. */
  #header = Buffer.alloc(0);
  #box: Box = { left: 0, isHashed: false };
  #offset = 0;
  /** How many zeros follow the last box. They are left out if the file is marked. */
  #zeros = 0;
  #failure: string | undefined;

  /** `bytes` is the size of the file, if it is known. */
  constructor(bytes?: number) {
    this.#bytes = bytes;
  }

  /**
   * Takes the next bytes of the file, and returns those to pass on. An existing manifest is turned into free space of
   * the same size, and a last box without a size gets one, so that a box can be appended.
   */
  take({ buffer, byteOffset, length }: Uint8Array): readonly Uint8Array[] {
    const chunk = Buffer.from(buffer, byteOffset, length);
    const passed: Buffer[] = [];
    for (let at = 0; at < length; ) {
      const rest = chunk.subarray(at);
      const { taken, pass } = this.#next(rest);
      if (pass) passed.push(pass);
      at += taken;
    }
    return passed;
  }

  /** @throws {Error} if no box can be appended to the file */
  end(): HashedBoxes {
    if (this.#box.left > 0 || this.#header.some((byte) => byte !== 0)) this.#failure ??= 'a box is incomplete';
    if (this.#failure !== undefined) throw unmarkable(this.#failure);
    const exclusions = [
      { xpath: '/uuid', data: [{ offset: 8, value: [...manifestType] }] },
      ...unhashed.map((type) => ({ xpath: `/${type}` })),
    ];
    const data = { name: 'jumbf manifest', alg: 'sha256', hash: [...this.#hash.digest()], exclusions };
    return {
      assertion: { label: 'c2pa.hash.bmff.v3', data },
      skeleton: new Uint8Array(Buffer.concat([...this.#types, ...this.#manifests])),
    };
  }

  /**
   * The rest of a file that is not marked: the manifest that it had, which is valid at any position, and the bytes that
   * were held back.
   */
  rest(): readonly Uint8Array[] {
    const manifests = this.#box.left > 0 ? [] : this.#manifests;
    return [...manifests, Buffer.alloc(this.#zeros), this.#header];
  }

  /** Takes the next bytes that belong together, and tells which may be passed on. */
  #next(rest: Buffer): { readonly taken: number; readonly pass?: Buffer } {
    if (this.#box.left > 0) {
      const pass = this.#content(rest);
      return { taken: pass.length, pass };
    }
    if (this.#zeros === 0) return this.#addToHeader(rest);
    const other = rest.findIndex((byte) => byte !== 0);
    if (other < 0) {
      this.#zeros += rest.length;
      return { taken: rest.length };
    }
    const pass = Buffer.alloc(this.#zeros);
    this.#zeros = 0;
    this.#giveUp('there is something after its end');
    return { taken: 0, pass };
  }

  /** Passes on all that follows without hashing it, because the file cannot be marked. */
  #giveUp(why: string): void {
    this.#failure = why;
    this.#box = { left: Number.POSITIVE_INFINITY, isHashed: false };
  }

  /** Begins a box whose header is complete. */
  #begin(complete: Buffer): void {
    const type = complete.toString('latin1', 4, 8);
    // A box of size 0 lasts until the end of the file, and would contain what is appended.
    if (complete.readUInt32BE(0) === 0) complete.writeUInt32BE(this.#bytesLeft(), 0);
    const size = sizeIn(complete);
    if (size < complete.length) {
      this.#giveUp('a box has no size, and the length of the download was not announced');
      return;
    }
    const isManifest = type === 'uuid' && complete.subarray(-manifestType.length).equals(manifestType);
    const isHashed = !isManifest && !unhashed.includes(type);
    const collector = isManifest ? this.#manifests : type === 'ftyp' ? this.#types : undefined;
    const collected = size <= maxCollectedBytes ? collector : undefined;
    if (isHashed) this.#hash.update(bigEndian64(this.#offset)).update(complete);
    collected?.push(Buffer.from(complete));
    if (isManifest) complete.write('free', 4, 'latin1');
    this.#offset += size;
    this.#box = { left: size - complete.length, isHashed, collected };
  }

  /** The size of a box that extends to the end of the file; 0 if that is unknown, or too large for the size field. */
  #bytesLeft(): number {
    const left = (this.#bytes ?? 0) - this.#offset;
    return left > 0 && left < 2 ** 32 ? left : 0;
  }

  /** The next part of a box's content. */
  #content(rest: Buffer): Buffer {
    const part = rest.subarray(0, this.#box.left);
    if (this.#box.isHashed) this.#hash.update(part);
    this.#box.collected?.push(Buffer.from(part));
    this.#box.left -= part.length;
    return part;
  }

  /** Adds bytes to the header of the next box. The header is passed on once it is complete and not zeros. */
  #addToHeader(rest: Buffer): { readonly taken: number; readonly pass?: Buffer } {
    const before = this.#header.length;
    this.#header = Buffer.concat([this.#header, rest.subarray(0, maxHeaderBytes - before)]);
    const needed = headerBytes(this.#header);
    if (this.#header.length < needed) return { taken: this.#header.length - before };
    const complete = this.#header.subarray(0, needed);
    const taken = needed - before;
    this.#header = Buffer.alloc(0);
    if (complete.every((byte) => byte === 0)) {
      this.#zeros = needed;
      return { taken };
    }
    this.#begin(complete);
    return { taken, pass: complete };
  }
}
