/** Creates a file and returns how to upload it: a form, or URLs of its parts. */
import { filesContracts } from '../../contracts/files.ts';
import { formBytes, partsOf, uploadUrl } from '../../contracts/uploads.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Settings } from '../../platform/settings.ts';
import { toAccount } from '../accounts/account-store.ts';
import { whileOpen } from '../accounts/while-open.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { runOnce } from '../idempotency/run-once.ts';
import { accountKey } from '../keys.ts';
import type { Retention } from '../retention.ts';
import type { Stores } from '../stores.ts';
import { liveAccountOf } from '../test-account.ts';
import { type File, keptDaysOf, uploadKey, uploadSeconds } from './file.ts';
import { insertFile } from './file-store.ts';
import { countUpload } from './upload-quota.ts';

interface Needs extends Pick<Stores, 'table'> {
  readonly clock: Clock;
  readonly fileStorage: FileStorage;
  readonly ids: Ids;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly settings: Pick<Settings, 'apiUrl'>;
}

interface Request {
  readonly accountId: string;
  readonly requested: Pick<File, 'contentType' | 'bytes'>;
  readonly idempotency: Idempotency | undefined;
}

const contract = filesContracts.createFile;

/** Begins an upload. The storage drops an upload in parts that is never completed. */
async function beginUpload({ fileStorage }: Needs, file: File) {
  const { bytes, contentType } = file;
  const key = uploadKey(file);
  if (bytes <= formBytes) {
    const { expiresAt, ...form } = await fileStorage.form(key, { contentType, bytes, forSeconds: uploadSeconds });
    return { file, upload: { method: 'POST' as const, ...form, expiresAt: timestamp(expiresAt) } };
  }
  const expected = { contentType, parts: partsOf(bytes), forSeconds: uploadSeconds };
  const { uploadId, parts, expiresAt } = await fileStorage.beginParts(key, expected);
  return {
    file: { ...file, uploadId },
    upload: { method: 'PUT' as const, parts: [...parts], expiresAt: timestamp(expiresAt) },
  };
}

/** How long the account keeps inputs; a test account does as its live account. */
async function retentionOf({ table }: Needs, accountId: string): Promise<Retention | undefined> {
  const item = await table.get(accountKey(liveAccountOf(accountId)));
  return item && toAccount(item).retention;
}

/** Creates a file. @throws {Rejection} forbidden, rate-limited, in-progress, other-body */
export const createFile = (needs: Needs, { accountId, requested, idempotency }: Request) =>
  runOnce(
    needs,
    { accountId, contract, idempotency },
    {
      isRepeatable: true,
      async call() {
        const { clock, ids } = needs;
        const { contentType, bytes } = requested;
        const secret = ids.secret(16);
        const keptDays = keptDaysOf(await retentionOf(needs, accountId));
        return beginUpload(needs, {
          accountId,
          fileId: ids.next(),
          contentType,
          bytes,
          secret,
          createdAt: clock.now(),
          ...(keptDays !== undefined && { keptDays }),
        });
      },
      commit: ({ file, upload }) => ({
        writes: [whileOpen(accountId), countUpload(file), { action: insertFile(file) }],
        data: { fileId: file.fileId, url: uploadUrl(needs.settings.apiUrl, file.fileId), upload },
      }),
    },
  );
