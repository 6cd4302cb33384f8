/**
 * Decides which credentials of callers' files the C2PA library may read. The library itself has no limits: by compressed
 * frames of an MP3, many boxes of an MP4 or many manifests in a picture, a small file can take it minutes or gigabytes.
 */
import { partsOf } from './file-parts.ts';
import type { OriginInput } from './provenance.ts';

const kibibyte = 1024;

interface Size {
  readonly bytes: number;
  /** How often the credentials name a file that the file was made from, whose own credentials are verified each time. */
  readonly ingredients: number;
}

/** The limits of the credentials of all files that a result was made from. */
const limitsOfAll: Size = { bytes: 256 * kibibyte, ingredients: 20 };

/**
 * The limits of a file. Photographs that were edited several times have less. A manifest takes about four milliseconds
 * to verify; its signature may have any number of certificates, and a hash of the file takes time by the file's size.
 */
const limits = {
  parts: 1000,
  metadataBytes: 1024 * kibibyte,
  manifests: 10,
  signatureBytes: 16 * kibibyte,
  hashBytes: kibibyte,
};

/** The boxes directly in a box of JUMBF. @throws {Error} unless they fill it */
function boxesIn(box: Buffer): Buffer[] {
  if (box.readUInt32BE(0) !== box.length) throw new Error('a box states another size than it has');
  const found: Buffer[] = [];
  for (let at = 8; at < box.length; ) {
    const bytes = box.readUInt32BE(at);
    if (bytes < 8 || at + bytes > box.length) throw new Error('a box ends outside of the box that it is in');
    found.push(box.subarray(at, at + bytes));
    at += bytes;
  }
  return found;
}

interface Labelled {
  readonly label: string;
  readonly bytes: number;
}

/**
 * Before its label, a description has its size and type, an id of 16 bytes and a byte of flags. Where the label ends is
 * not believed: what follows it counts as a part of it.
 */
const labelAt = 25;

/** The boxes of JUMBF in a box of JUMBF, and it itself. @throws {Error} if one of them does not fill the one that it is in */
function labelledIn(box: Buffer, found: Labelled[] = []): Labelled[] {
  const [description, ...contents] = boxesIn(box);
  const label = description?.toString('latin1', labelAt) ?? '';
  found.push({ label, bytes: box.length });
  for (const content of contents) if (content.toString('latin1', 4, 8) === 'jumb') labelledIn(content, found);
  return found;
}

/** Whether a manifest has a single small signature, and a small description of a single hash of the file at most. */
function isSmall(boxes: readonly Labelled[]): boolean {
  const sizesOf = (name: string) => boxes.filter(({ label }) => label.includes(name)).map(({ bytes }) => bytes);
  const [signatures, hashes] = [sizesOf('c2pa.signature'), sizesOf('c2pa.hash')];
  if (signatures.length > 1 || hashes.length > 1) return false;
  const [signatureBytes = 0, hashBytes = 0] = [signatures[0], hashes[0]];
  return signatureBytes <= limits.signatureBytes && hashBytes <= limits.hashBytes;
}

/**
 * The size of the credentials in their box; undefined if the library could take long to read them. The box of all
 * manifests has a description before them. A compressed one could be of any size.
 */
function modestSize(box: Buffer): Size | undefined {
  const [, ...manifests] = boxesIn(box);
  if (manifests.length > limits.manifests || box.includes('brob') || box.includes('c2cm')) return undefined;
  const labelled = manifests.map((manifest) => labelledIn(manifest));
  if (!labelled.every(isSmall)) return undefined;
  const ingredients = labelled.flat().filter(({ label }) => label.includes('c2pa.ingredient')).length;
  return { bytes: box.length, ingredients };
}

/** The box of a file's credentials, which may be divided; undefined if the file has too many parts or metadata. */
function credentialsIn(file: Buffer, contentType: string): Buffer | undefined {
  let [count, metadataBytes] = [0, 0];
  const found: Buffer[] = [];
  for (const { kind, content, parts = 1 } of partsOf[contentType]?.(file) ?? []) {
    if (kind === 'credentials') found.push(content);
    if (kind === 'metadata') metadataBytes += content.length;
    count += parts;
    if (count > limits.parts || metadataBytes > limits.metadataBytes) return undefined;
  }
  return Buffer.concat(found);
}

type Content = Pick<OriginInput, 'bytes' | 'contentType'>;

const fits = ({ bytes, ingredients }: Size, limit: Size): boolean =>
  bytes <= limit.bytes && ingredients <= limit.ingredients;

/** The box of a file's credentials; undefined if there are none, or if the file is not divided as its format requires. */
function foundCredentials({ bytes, contentType }: Content): Buffer | undefined {
  if (!bytes || contentType === undefined) return undefined;
  try {
    const { buffer, byteOffset, length } = bytes;
    const box = credentialsIn(Buffer.from(buffer, byteOffset, length), contentType);
    return box?.length ? box : undefined;
  } catch {
    return undefined;
  }
}

/** The size of credentials that the library can read in a short time; undefined for others. */
function readableSize(box: Buffer): Size | undefined {
  try {
    return modestSize(box);
  } catch {
    return undefined;
  }
}

/** Whether a file has credentials that the library could take long to read. Damaged ones are not among them. */
export function hasExcessiveCredentials(file: Content): boolean {
  const box = foundCredentials(file);
  try {
    const size = box && modestSize(box);
    return box !== undefined && (!size || !fits(size, limitsOfAll));
  } catch {
    return false;
  }
}

/** The files, with the contents of those only whose credentials the library may read. */
export function withReadableCredentials(inputs: readonly OriginInput[]): OriginInput[] {
  let left = limitsOfAll;
  return inputs.map((input) => {
    const { bytes: _content, ...named } = input;
    const box = foundCredentials(input);
    const size = box && readableSize(box);
    if (!size || !fits(size, left)) return named;
    left = { bytes: left.bytes - size.bytes, ingredients: left.ingredients - size.ingredients };
    return input;
  });
}
