/**
 * Opens the files that an account's URLs lead to: its own uploads from the service's storage, everything else over the
 * network. Callers need not distinguish the two.
 */
import { longestTimeLimitSeconds, unusedFilesRetentionDays } from '../../contracts/limits.ts';
import { uploadIdIn } from '../../contracts/uploads.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { OutboundRequest, OutboundStream } from '../../platform/safe-fetch.ts';
import type { Settings } from '../../platform/settings.ts';
import type { ObjectPlace, StoredObjects } from '../../platform/stored-objects.ts';
import type { Stores } from '../stores.ts';
import { type File, isFixed, unusedUntil, uploadKey } from './file.ts';

export interface InputNeeds extends Partial<Pick<Stores, 'files'>> {
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, 'open'>;
  readonly settings: Pick<Settings, 'apiUrl'>;
  /** Opens stored objects; like `files`, present only in functions that open files. */
  readonly storedObjects?: StoredObjects;
}

export interface AccountInputs extends Pick<Outbound, 'open'> {
  /** Whether a URL is that of an upload, of any account. */
  isUpload(url: string): boolean;
  /** Why an upload cannot be an input, worded to follow a field's name. */
  problemOf(url: string): Promise<string | undefined>;
  /** A URL that lets anyone read an upload for a limited time; undefined while its content can still change. */
  lend(url: string, forSeconds: number): Promise<string | undefined>;
}

/** An upload of another account gets the same message as one that does not exist. */
export const unknownUpload = `must be the url of one of the account's files, which are kept for ${unusedFilesRetentionDays} days`;
export const notUploaded = 'has not been uploaded yet';

/** How long after its creation a task may still read its inputs. */
const readingMs = longestTimeLimitSeconds * 1000;

const usableUntil = (file: File): number => (file.key === undefined ? unusedUntil(file) : Infinity);

const nothing = (status: number): OutboundStream => ({
  status,
  headers: {},
  body: (async function* () {})(),
  close: () => undefined,
});

const placeOf = (file: File): ObjectPlace =>
  file.key === undefined ? { bucket: 'inputs', key: uploadKey(file) } : { bucket: 'results', key: file.key };

/** The size of the whole object, according to a successful response. */
const sizeIn = ({ headers }: OutboundStream): number =>
  Number(headers['content-range']?.split('/')[1] ?? headers['content-length']);

const firstByte = {
  method: 'GET',
  headers: { range: 'bytes=0-0' },
  timeoutMs: 5_000,
  maxResponseBytes: Number.MAX_SAFE_INTEGER,
  onOverflow: 'fail',
  maxRedirects: 0,
} as const satisfies OutboundRequest;

function storageOf({ storedObjects }: InputNeeds): StoredObjects {
  if (!storedObjects) throw new Error('the function has no ports to open files');
  return storedObjects;
}

function filesOf({ files }: InputNeeds): Stores['files'] {
  if (!files) throw new Error('the function has no ports to open files');
  return files;
}

/** Opens an upload's object; if its size is not the announced one, the upload counts as missing. */
async function openUpload(needs: InputNeeds, file: File, request: OutboundRequest): Promise<OutboundStream> {
  const found = await storageOf(needs).open(placeOf(file), request);
  if (found.status >= 300 || sizeIn(found) === file.bytes) return found;
  found.close();
  return nothing(404);
}

export function accountInputs(needs: InputNeeds, accountId: string): AccountInputs {
  const found = new Map<string, Promise<File | undefined>>();
  const idIn = (url: string) => uploadIdIn(needs.settings.apiUrl, url);

  const read = async (fileId: string): Promise<File | undefined> => {
    if (fileId === '') return undefined;
    const [file] = await filesOf(needs).findMany(accountId, [fileId], needs.clock.now());
    return file;
  };

  const find = (fileId: string): Promise<File | undefined> => {
    const file = found.get(fileId) ?? read(fileId);
    found.set(fileId, file);
    return file;
  };

  return {
    isUpload: (url) => idIn(url) !== undefined,
    async open(url, request) {
      const fileId = idIn(url);
      if (fileId === undefined) return needs.outbound.open(url, request);
      const file = await find(fileId);
      return file ? openUpload(needs, file, request) : nothing(404);
    },
    async problemOf(url) {
      const file = await find(idIn(url) ?? '');
      if (!file || usableUntil(file) < needs.clock.now() + readingMs) return unknownUpload;
      const stream = await openUpload(needs, file, firstByte);
      stream.close();
      return stream.status === 404 ? notUploaded : undefined;
    },
    async lend(url, forSeconds) {
      const file = await find(idIn(url) ?? '');
      return file && isFixed(file) ? storageOf(needs).addressOf(placeOf(file), forSeconds) : undefined;
    },
  };
}
