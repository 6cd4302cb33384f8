/** Stores results, marked with how they were made. */
import { createHash } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import { generationOf } from '../../contracts/generate.ts';
import { type MediaType, mediaTypes } from '../../contracts/media.ts';
import type { Provenance as ProvenanceFacts } from '../../contracts/provenance.ts';
import type { Bucket } from '../../platform/bucket.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { NotCertified } from '../../platform/not-certified.ts';
import { peekStream } from '../../platform/peek-stream.ts';
import { UnmarkableFile } from '../../platform/unmarkable-file.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import type { Marked, Origin, OriginInput, Provenance } from '../../provenance/provenance.ts';
import { mainJob } from '../engine-jobs/engine-job.ts';
import type { EngineJobStore } from '../engine-jobs/engine-job-store.ts';
import { type FileAddress, fieldOf, fileAddressesOf } from '../generation/file-addresses.ts';
import { invalid } from '../media/media-problem.ts';
import { UnusableCopy } from '../media/watched-copy.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { digitalSourceTypeOf } from '../published-files/published-file-store.ts';
import { inputKey, type Task } from '../tasks/task.ts';

export interface WriteResultNeeds {
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly engineJobs: Pick<EngineJobStore, 'find'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly metrics: ServiceMetrics;
  readonly provenance: Provenance;
  readonly work: Pick<WorkStorage, 'open'>;
}

interface Content {
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: MediaType;
  /** The size that the engine announced, if it did. */
  readonly bytes?: number | undefined;
}

/** What is known about a stored result. */
export interface WrittenResult {
  readonly bytes: number;
  readonly sha256: string;
  readonly provenance?: ProvenanceFacts;
}

export type WriteResult = (key: string, content: Content) => Promise<WrittenResult>;

type OriginTask = Pick<Task, 'taskId' | 'taskType' | 'input' | 'derived' | 'route'>;

const typeOfKey = (key: string): MediaType | undefined =>
  (Object.keys(mediaTypes) as MediaType[]).find((type) => key.endsWith(`.${mediaTypes[type].extension}`));

/** The copy of a file as the engine received it; undefined if there is none, or if it is too large to be read at once. */
async function readCopy({ provenance, work }: WriteResultNeeds, key: string): Promise<Uint8Array | undefined> {
  const file = await work.open(key);
  return file && file.size <= provenance.maxBytes ? file.read(0, file.size) : undefined;
}

/** The files that a result was made from. Only those that the service copied for the engine are read. */
async function inputsOf(needs: WriteResultNeeds, task: OriginTask): Promise<readonly OriginInput[]> {
  const addresses = fileAddressesOf(task);
  if (addresses.length === 0) return [];
  const { inputKeys = [] } = await needs.engineJobs.find({ taskId: task.taskId, name: mainJob });
  const { edits } = generationOf(task.taskType);
  const copied = addresses.filter(({ isRemote }) => !isRemote);
  const inputs: OriginInput[] = [];
  for (const address of addresses) {
    const isEdited = fieldOf(address) === edits;
    const key = keyOf(address, copied, inputKeys, task);
    const contentType = key === undefined ? undefined : typeOfKey(key);
    const bytes = key === undefined ? undefined : await readCopy(needs, key);
    inputs.push({ isEdited, ...(contentType && { contentType }), bytes });
  }
  return inputs;
}

/** The key of a file's copy: copies are numbered in the order of their fields. */
function keyOf(
  address: FileAddress,
  copied: readonly FileAddress[],
  keys: readonly string[],
  task: OriginTask,
): string | undefined {
  const position = copied.indexOf(address) + 1;
  return position === 0 ? undefined : keys.find((key) => key.startsWith(inputKey(task, position, '')));
}

async function originOf(needs: WriteResultNeeds, task: OriginTask): Promise<Origin> {
  return {
    digitalSourceType: digitalSourceTypeOf(task),
    softwareAgent: task.route,
    at: timestamp(needs.clock.now()),
    inputs: await inputsOf(needs, task),
  };
}

/**
 * The origin of a result without the contents of its input files: these come from the caller, and a damaged one can
 * prevent the result from being marked with Content Credentials.
 */
const withoutContents = (origin: Origin): Origin => ({
  ...origin,
  inputs: origin.inputs.map(({ isEdited, contentType }) => ({ isEdited, contentType })),
});

/**
 * Marks a file with Content Credentials. Undefined if that fails and unmarked results are allowed, as they always are
 * until the signing key has a certificate. Otherwise the workflow repeats its step, and finally the task fails.
 * @throws {UnusableCopy} if the file is the cause, so that repeating the step would not help
 */
async function marked<Result extends Marked>(
  { logger, metrics, provenance }: WriteResultNeeds,
  taskId: string,
  origin: () => Promise<Origin>,
  mark: (origin: Origin) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const known = await origin();
    const done = await mark(known).catch(() => mark(withoutContents(known)));
    if (done.isUnstamped) metrics.record({ ResultsUnstamped: 1 });
    return done;
  } catch (error) {
    const { name, message } = error as Error;
    const isUnmarkable = error instanceof UnmarkableFile;
    logger.error('result could not be marked', { taskId, reason: name, ...(isUnmarkable && { detail: message }) });
    metrics.record({ ResultsUnmarked: 1 });
    if (provenance.allowsUnmarked || error instanceof NotCertified) return undefined;
    throw isUnmarkable ? new UnusableCopy(invalid('cannot be marked')) : error;
  }
}

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Stores a file, and computes its digest meanwhile. */
async function write(bucket: Bucket, key: string, { body, contentType }: { body: Body; contentType: MediaType }) {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const bytes = await bucket.write(key, { body: hashed(), contentType });
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes the results of a task. A file is stored only once it is marked. */
export function resultWriter(needs: WriteResultNeeds, task: OriginTask): WriteResult {
  const { bucket, metrics, provenance } = needs;
  let known: Promise<Origin> | undefined;
  const origin = () => {
    known ??= originOf(needs, task);
    return known;
  };
  const facts = async (signedBy: string): Promise<Pick<WrittenResult, 'provenance'>> => {
    const { digitalSourceType } = await origin();
    return { provenance: { standard: 'c2pa', digitalSourceType, signedBy } };
  };

  async function writeMarked(key: string, contentType: MediaType, file: Uint8Array): Promise<WrittenResult> {
    const done = await marked(needs, task.taskId, origin, (how) => provenance.mark(file, contentType, how));
    const written = await write(bucket, key, { body: [done?.bytes ?? file], contentType });
    return { ...written, ...(done && (await facts(done.signedBy))) };
  }

  const writeLarge = (key: string, { body, contentType, bytes }: Content): Promise<WrittenResult> =>
    provenance.markLarge({ contentType, bytes }, async (file) => {
      let signedBy: string | undefined;
      async function* markedAtEnd() {
        for await (const chunk of body) yield* file.take(chunk);
        const done = await marked(needs, task.taskId, origin, (how) => file.marked(how));
        yield* done?.rest ?? file.unmarked();
        signedBy = done?.signedBy;
      }
      const written = await write(bucket, key, { body: markedAtEnd(), contentType });
      if (signedBy === undefined) return written;
      metrics.record({ LargeResultsMarked: 1 });
      return { ...written, ...(await facts(signedBy)) };
    });

  return async (key, { body, contentType, bytes }) => {
    if (provenance.maxBytes === 0) return write(bucket, key, { body, contentType });
    const peeked = await peekStream(body, { maxBytes: provenance.maxBytes + 1 });
    try {
      if (peeked.next === 'failure') throw peeked.failure;
      if (peeked.next === 'end') return await writeMarked(key, contentType, peeked.head);
      return await writeLarge(key, { body: peeked.body, contentType, bytes });
    } finally {
      await peeked.close();
    }
  };
}
