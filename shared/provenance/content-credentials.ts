/** Marks files with Content Credentials: manifests of C2PA that are signed by the service and embedded in the file. */
import { contentSigner } from '../platform/content-signer.ts';
import type { PortSource } from '../platform/port-source.ts';
import { UnmarkableFile } from '../platform/unmarkable-file.ts';
import { workLimit } from '../platform/work-limit.ts';
import { largeFile, type Marker } from './large-files.ts';
import { draftHere, fileOf, type StartDraft } from './manifest.ts';
import { manifestSigner } from './manifest-signer.ts';
import type { Origin, Provenance } from './provenance.ts';
import { timeStampsOf } from './time-stamp.ts';

/** Signing takes about five times the file in memory, which the function's memory limit allows up to this size. */
const maxMarkedBytes = 32 * 2 ** 20;

/** A manifest has some kilobytes, and the credentials of the inputs, which are smaller than 256 KiB, with how valid they are. */
const maxAddedBytes = 2 * 2 ** 20;

/**
 * A draft that does not let a file grow by more than its manifest, as the library makes it if it decompresses metadata.
 * @throws {UnmarkableFile}
 */
const bounded =
  (startDraft: StartDraft): StartDraft =>
  async (marking) => {
    const draft = await startDraft(marking);
    return {
      ...draft,
      async sign(...given) {
        const signed = await draft.sign(...given);
        if (signed.asset.length <= marking.file.length + maxAddedBytes) return signed;
        throw new UnmarkableFile('a file could not be marked: its credentials would be too large');
      },
    };
  };

const unmarked: Provenance = {
  maxBytes: 0,
  allowsUnmarked: true,
  mark: () => Promise.reject(new Error('results are not marked')),
  markLarge: () => Promise.reject(new Error('results are not marked')),
};

/** The part of the library's error that shows that the file is at fault: its bytes are invalid, or it is truncated. */
const ofFile = ['InvalidAsset', 'IoError'];

/**
 * The kind of an error: `C2pa(InvalidAsset(…))`. The library throws texts that may quote the file, so nothing else of
 * them is passed on.
 */
function markingFailed(error: unknown): Error {
  if (error instanceof Error) return error;
  const kind = /^\w+\((\w+)/.exec(String(error))?.[1] ?? 'unknown';
  const what = `a file could not be marked: ${kind}`;
  return ofFile.includes(kind) ? new UnmarkableFile(what) : Object.assign(new Error(what), { name: 'MarkingFailed' });
}

/** How a host calls the C2PA library. */
export interface MarkingHost {
  /** Starts a manifest; by default, on the calling thread. */
  readonly startDraft?: StartDraft | undefined;
}

interface Source extends PortSource {
  readonly marking?: MarkingHost | undefined;
}

/** Marks files with the configured key; without a key, it marks none. */
export function contentCredentials({ settings, clock, marking: host }: Source): Provenance {
  if (settings.contentSigningKey === 'none') return unmarked;
  const signer = contentSigner({ settings, clock });
  const generator = { name: settings.serviceName, version: settings.version };
  const stamp = settings.timeStampUrl === 'none' ? undefined : timeStampsOf(settings.timeStampUrl, clock);
  // One after the other: each file needs a multiple of its size in memory.
  const sequentially = workLimit(1);
  const collectedInTurn = workLimit(1);

  /** Calls a marking function with a signer for one file. */
  async function marking<Result extends object>(
    contentType: string,
    origin: Origin,
    mark: (marker: Marker) => Promise<Result>,
  ) {
    const manifests = await manifestSigner({ signer, clock, stamp });
    try {
      const startDraft = bounded(host?.startDraft ?? draftHere);
      const marked = await mark({ startDraft, signer: manifests, marking: { contentType, origin, generator } });
      return { ...marked, signedBy: manifests.signedBy, isUnstamped: manifests.isUnstamped() };
    } catch (error) {
      throw markingFailed(manifests.failures[0] ?? error);
    }
  }

  const mark = (given: Uint8Array, contentType: string, origin: Origin) =>
    marking(contentType, origin, async ({ startDraft, signer: { definition }, marking: described }) => {
      const draft = await startDraft({ ...described, file: fileOf(given) });
      try {
        return { bytes: (await draft.sign(definition)).asset };
      } finally {
        draft.free();
      }
    });

  return {
    maxBytes: maxMarkedBytes,
    allowsUnmarked: settings.unmarkedResults === 'stored',
    mark: (...given) => sequentially(() => mark(...given)),
    async markLarge(facts, use) {
      const { contentType } = facts;
      const file = largeFile(facts);
      const marked = (origin: Origin) =>
        sequentially(() => marking(contentType, origin, async (marker) => ({ rest: await file.marked(marker) })));
      const task = () => use({ ...file, marked });
      return file.isCollected ? collectedInTurn(task) : task();
    },
  };
}
