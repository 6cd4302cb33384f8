/** Uses uploaded files: inspects them first, then keeps them in the transaction that uses them. */
import { inputLimits } from '../../contracts/media.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import { TooManyBytes } from '../../platform/limit-bytes.ts';
import type { Write } from '../idempotency/run-once.ts';
import { type WholeImage, wholeImage } from '../media/download-image.ts';
import { isProblem, problemText } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { notUploaded, unknownUpload } from './account-inputs.ts';
import { type File, imageKey, uploadKey } from './file.ts';
import { keepFile } from './file-store.ts';

interface Needs {
  readonly files: Stores['files'];
  readonly fileStorage: FileStorage;
}

/** A file that a request names, in the field at a path. */
export interface NamedFile {
  readonly path: string;
  readonly fileId: string;
  /** How the field names it: by default by its id. */
  readonly by?: 'url';
}

/** A file whose image was inspected. */
export interface UsableFile extends NamedFile {
  readonly file: File;
  readonly image: WholeImage;
  /** The permanent key of exactly this image. */
  readonly key: string;
}

const invalid = (message: string): Rejection => new Rejection('invalid', { message });

const limits = inputLimits.image;

/** The storage is an outside party: what it could not do has not been done. @throws {Rejection} generation-failed */
async function stored<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooManyBytes) throw error;
    const internal = (error as Error).name;
    throw new Rejection('generation-failed', { message: 'The uploaded files could not be stored.', internal });
  }
}

async function bytesOf({ fileStorage }: Needs, file: File, path: string): Promise<Uint8Array> {
  if (file.key !== undefined) return stored(fileStorage.readKept(file.key, limits.maxBytes));
  const uploaded = await stored(fileStorage.readUpload(uploadKey(file), limits.maxBytes)).catch((error: unknown) => {
    if (error instanceof TooManyBytes) throw invalid(`${path} is too large`);
    throw error;
  });
  if (!uploaded) throw invalid(`${path} ${notUploaded}`);
  return uploaded;
}

async function inspect(needs: Needs, file: File, { path, fileId }: NamedFile): Promise<UsableFile> {
  const image = wholeImage(await bytesOf(needs, file, path));
  if (isProblem(image)) throw invalid(problemText(path, image));
  const key = file.key ?? imageKey(file, image.bytes, image.contentType);
  return { path, fileId, file, image, key };
}

/**
 * Inspects the files that a request names, each once. Another account's file is indistinguishable from a missing one.
 * @throws {Rejection} invalid, generation-failed
 */
export async function openFiles(
  needs: Needs,
  accountId: string,
  named: readonly NamedFile[],
  now: number,
): Promise<UsableFile[]> {
  const found = await needs.files.findMany(accountId, [...new Set(named.map(({ fileId }) => fileId))], now);
  const known = new Map(found.map((file) => [file.fileId, file]));
  const unknown = named.filter(({ fileId }) => !known.has(fileId));
  if (unknown.length > 0) {
    const expectation = "must be the id of one of the account's files";
    throw invalid(unknown.map(({ path, by }) => `${path} ${by === 'url' ? unknownUpload : expectation}`).join('; '));
  }
  // At most six, as large as an image may be: together they fit into a function's memory. Named twice, a file is read once.
  const inspected = new Map<string, Promise<UsableFile>>();
  for (const name of named) {
    const { fileId } = name;
    if (!inspected.has(fileId)) inspected.set(fileId, inspect(needs, known.get(fileId) as File, name));
  }
  return Promise.all(inspected.values());
}

/** Stores the images at their permanent keys; harmless to repeat. @throws {Rejection} generation-failed */
export async function storeImages({ fileStorage }: Needs, usable: readonly UsableFile[]): Promise<void> {
  const unkept = usable.filter(({ file }) => file.key === undefined);
  await Promise.all(
    unkept.map(({ image: { bytes, contentType }, key }) => stored(fileStorage.keep(key, { body: bytes, contentType }))),
  );
}

/** Keeps the files for good, in the transaction that uses them. */
export const keeping = (usable: readonly UsableFile[]): Write[] =>
  usable.map(({ file, key, path }) => ({
    action: keepFile(file, key),
    rejection: () => invalid(`${path} has changed or expired in the meantime`),
  }));
