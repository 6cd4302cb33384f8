/** Uses uploaded files in a resource: inspects them, then keeps them in the transaction that creates the resource. */
import { keptBytesPerDay } from '../../contracts/limits.ts';
import { inputLimits } from '../../contracts/media.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import { TooManyBytes } from '../../platform/limit-bytes.ts';
import { countWithin } from '../count-on-day.ts';
import type { Write } from '../idempotency/run-once.ts';
import { type WholeImage, wholeImage } from '../media/download-image.ts';
import { isProblem, problemText, tooManyBytes } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { notUploaded, unknownUpload } from './account-inputs.ts';
import { type File, imageKey, uploadKey } from './file.ts';
import { keepFile } from './file-store.ts';

interface Needs {
  readonly files: Stores['files'];
  readonly fileStorage: FileStorage;
}

/** An uploaded file that a request refers to, and the path of the field. */
export interface NamedFile {
  readonly path: string;
  readonly fileId: string;
  /** How the field refers to the file; by default, by its id. */
  readonly by?: 'url';
}

/** An uploaded file whose image was inspected. */
export interface UsableFile extends NamedFile {
  readonly file: File;
  readonly image: WholeImage;
  /** The permanent key of exactly this image. */
  readonly key: string;
}

const invalid = (message: string): Rejection => new Rejection('invalid', { message });

const limits = inputLimits.image;

/** Turns storage failures into a rejection, because nothing has been done yet. @throws {Rejection} generation-failed */
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
    if (error instanceof TooManyBytes) throw invalid(problemText(path, tooManyBytes(limits)));
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
 * Inspects each uploaded file of a request once. Another account's file is treated as missing. @throws {Rejection}
 * invalid, generation-failed
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
  // At most six images of the maximum size fit into a function's memory. A file that is referred to twice is read once.
  const inspected = new Map<string, Promise<UsableFile>>();
  for (const name of named) {
    const { fileId } = name;
    if (!inspected.has(fileId)) inspected.set(fileId, inspect(needs, known.get(fileId) as File, name));
  }
  return Promise.all(inspected.values());
}

/**
 * Stores the images at their permanent keys; can be repeated. Each attempt counts, because what it stores stays.
 * @throws {Rejection} generation-failed, rate-limited
 */
export async function storeImages(
  { clock, fileStorage, table }: Pick<Needs, 'fileStorage'> & { readonly clock: Clock; readonly table: Table },
  accountId: string,
  usable: readonly UsableFile[],
): Promise<void> {
  const unkept = usable.filter(({ file }) => file.key === undefined);
  if (unkept.length === 0) return;
  await countWithin(
    { clock, table },
    accountId,
    {
      name: 'keptBytes',
      by: unkept.reduce((sum, { image }) => sum + image.bytes.length, 0),
      limit: keptBytesPerDay,
    },
    `Products and avatars of the account can keep ${keptBytesPerDay} bytes of files on a day (UTC): give the URLs of images outside of the service`,
  );
  await Promise.all(
    unkept.map(({ image: { bytes, contentType }, key }) => stored(fileStorage.keep(key, { body: bytes, contentType }))),
  );
}

/** The writes that keep the files permanently, for the transaction that uses them. */
export const keeping = (usable: readonly UsableFile[]): Write[] =>
  usable.map(({ file, key, path }) => ({
    action: keepFile(file, key),
    rejection: () => invalid(`${path} has changed or expired in the meantime`),
  }));
