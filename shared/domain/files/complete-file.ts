/** Completes the upload of a file in parts. */
import { partsOf, uploadUrl } from '../../contracts/uploads.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Settings } from '../../platform/settings.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { uploadKey } from './file.ts';

interface Needs extends Pick<Stores, 'files'> {
  readonly clock: Clock;
  readonly fileStorage: Pick<FileStorage, 'completeParts' | 'sizeOf'>;
  readonly settings: Pick<Settings, 'apiUrl'>;
}

interface Request {
  readonly accountId: string;
  readonly fileId: string;
  readonly etags: readonly string[];
}

const invalid = (message: string): Rejection => new Rejection('invalid', { message });

/** Completes an upload; succeeds also if it is already complete. @throws {Rejection} not-found, invalid */
export async function completeFile(needs: Needs, { accountId, fileId, etags }: Request) {
  const { clock, files, fileStorage, settings } = needs;
  const [file] = await files.findMany(accountId, [fileId], clock.now());
  if (!file) throw new Rejection('not-found');
  const { bytes, uploadId } = file;
  if (uploadId === undefined)
    throw invalid('fileId must be the id of a file that is uploaded in parts: a form completes its own upload');
  const { length } = partsOf(bytes);
  if (etags.length !== length) throw invalid(`etags must have one item for each of the ${length} parts`);
  const key = uploadKey(file);
  const outcome = await fileStorage.completeParts(key, uploadId, etags);
  const isThere = outcome !== 'unusable' && (await fileStorage.sizeOf(key)) === bytes;
  if (outcome === 'gone' && !isThere)
    throw invalid('fileId must be the id of an upload that has not expired: create the file again');
  if (!isThere) throw invalid('etags must be the ETag of each part in order, and every part must have its size');
  return { fileId, url: uploadUrl(settings.apiUrl, fileId) };
}
