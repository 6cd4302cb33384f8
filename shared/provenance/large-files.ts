/**
 * Marks files that are too large for the C2PA library's memory. The hash of the file is computed here. The library
 * signs a manifest with this hash and puts it into a skeleton of the file, from where it is copied into the file
 * itself.
 */
import { createHash } from 'node:crypto';
import { misplaced, type Place, type Skeleton, skeletonOf } from './file-skeleton.ts';
import type { Assertion, Marking, Signed, StartDraft } from './manifest.ts';
import type { ManifestSigner } from './manifest-signer.ts';
import { type HashedBoxes, Mp4BoxesHash } from './mp4-boxes-hash.ts';
import type { LargeFileFacts } from './provenance.ts';

export interface Marker {
  readonly startDraft: StartDraft;
  readonly signer: ManifestSigner;
  readonly marking: Omit<Marking, 'file' | 'binding'>;
}

export interface LargeFile {
  /** Whether the whole file is in memory until it is marked. */
  readonly isCollected: boolean;
  /** Takes the next bytes of the file, and returns those that can be passed on at once. */
  take(chunk: Uint8Array): readonly Uint8Array[];
  /** The rest of the file once it is marked. Can be called again if it fails. */
  marked(marker: Marker): Promise<readonly Uint8Array[]>;
  /** The rest of the file if it is not marked. */
  unmarked(): readonly Uint8Array[];
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/**
 * The bytes before the manifest in its box: the size, the type, the user type, the version, the purpose and an offset.
 */
const boxHeaderBytes = 4 + 4 + 16 + 4 + 'manifest\0'.length + 8;

/** The box with the manifest of an MP4 file. */
async function manifestBox({ startDraft, signer, marking }: Marker, { assertion, skeleton }: HashedBoxes) {
  const draft = await startDraft({ ...marking, file: skeleton, binding: assertion });
  try {
    const { asset, manifest } = await draft.sign(signer.definition);
    const start = bufferOf(asset).indexOf(manifest) - boxHeaderBytes;
    const bytes = boxHeaderBytes + manifest.length;
    if (start < 0 || bufferOf(asset).readUInt32BE(start) !== bytes) throw misplaced();
    return asset.subarray(start, start + bytes);
  } finally {
    draft.free();
  }
}

/** An MP4 is passed on while it is received; the box with its manifest is appended at the end. */
function film(bytes: number | undefined): LargeFile {
  const boxes = new Mp4BoxesHash(bytes);
  let hashed: HashedBoxes | undefined;
  return {
    isCollected: false,
    take: (chunk) => boxes.take(chunk),
    async marked(marker) {
      hashed ??= boxes.end();
      return [await manifestBox(marker, hashed)];
    },
    unmarked: () => boxes.rest(),
  };
}

const placeOf = ({ asset, manifest }: Signed, skeleton: Skeleton): Place => skeleton.place(bufferOf(asset), manifest);

const isSame = (one: Place, other: Place): boolean => one.start === other.start && one.length === other.length;

const noDigest = new Uint8Array(32);

const bindingOf = (exclusion: Place, digest: Uint8Array): Assertion => ({
  label: 'c2pa.hash.data',
  data: { name: 'jumbf manifest', alg: 'sha256', hash: [...digest], pad: [], exclusions: [exclusion] },
});

/** The digest of everything but the manifest. */
function digestOf(parts: readonly Uint8Array[], { start, length }: Place): Uint8Array {
  const hash = createHash('sha256');
  let at = 0;
  for (const part of parts) {
    const before = Math.max(0, start - at);
    hash.update(part.subarray(0, before));
    hash.update(part.subarray(Math.max(0, start + length - at)));
    at += part.length;
  }
  return hash.digest();
}

/**
 * The most drafts of a manifest. It contains its own position and length, and writing these into it can change its
 * length, so it is drafted until they are right.
 */
const maxDrafts = 5;

async function spliced({ startDraft, signer, marking }: Marker, skeleton: Skeleton): Promise<readonly Uint8Array[]> {
  const nowhere: Place = { start: 0, length: 0 };
  const binding = bindingOf(nowhere, noDigest);
  const draft = await startDraft({ ...marking, file: skeleton.skeleton, binding });
  try {
    let place = nowhere;
    for (let attempt = 1; attempt <= maxDrafts; attempt += 1) {
      const drafted = await draft.sign(signer.placeholder, bindingOf(place, noDigest));
      const found = placeOf(drafted, skeleton);
      if (isSame(found, place)) {
        const digest = digestOf(skeleton.join(drafted.asset), place);
        const last = await draft.sign(signer.definition, bindingOf(place, digest));
        if (!isSame(placeOf(last, skeleton), place)) throw misplaced();
        return skeleton.join(last.asset);
      }
      place = found;
    }
    throw new Error('the place of a manifest does not settle');
  } finally {
    draft.free();
  }
}

/**
 * An image or audio file is kept in memory until it is complete: its manifest, or a size that includes the manifest, is
 * at the beginning.
 */
function collected(contentType: string): LargeFile {
  let chunks: Uint8Array[] = [];
  return {
    isCollected: true,
    take(chunk) {
      chunks.push(chunk);
      return [];
    },
    marked(marker) {
      const whole = Buffer.concat(chunks);
      chunks = [whole];
      return spliced(marker, skeletonOf(whole, contentType));
    },
    unmarked: () => chunks,
  };
}

export const largeFile = ({ contentType, bytes }: LargeFileFacts): LargeFile =>
  contentType === 'video/mp4' ? film(bytes) : collected(contentType);
