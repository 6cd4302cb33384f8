/** Creates a file and returns the form that uploads it. */
import { filesContracts } from '../../contracts/files.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { runOnce } from '../idempotency/run-once.ts';
import type { Stores } from '../stores.ts';
import { type File, uploadKey, uploadSeconds } from './file.ts';
import { insertFile } from './file-store.ts';

interface Needs extends Pick<Stores, 'table'> {
  readonly clock: Clock;
  readonly fileStorage: FileStorage;
  readonly ids: Ids;
  readonly pause: (milliseconds: number) => Promise<void>;
}

interface Request {
  readonly accountId: string;
  readonly requested: Pick<File, 'contentType' | 'bytes'>;
  readonly idempotency: Idempotency | undefined;
}

const contract = filesContracts.createFile;

export const createFile = (needs: Needs, { accountId, requested, idempotency }: Request) =>
  runOnce(
    needs,
    { accountId, contract, idempotency },
    {
      isRepeatable: true,
      async call() {
        const { clock, fileStorage, ids } = needs;
        const file: File = {
          accountId,
          fileId: ids.next(),
          ...requested,
          secret: ids.secret(16),
          createdAt: clock.now(),
        };
        const form = await fileStorage.form(uploadKey(file), { ...requested, forSeconds: uploadSeconds });
        return { file, form };
      },
      commit: ({ file, form: { expiresAt, ...form } }) => ({
        writes: [{ action: insertFile(file) }],
        data: { fileId: file.fileId, upload: { ...form, expiresAt: timestamp(expiresAt) } },
      }),
    },
  );
