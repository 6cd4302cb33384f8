/** Creates an upload in parts whose only part has been sent, but which is not completed. */
import { partsOf } from '../../shared/contracts/uploads.ts';
import { uploadKey, uploadSeconds } from '../../shared/domain/files/file.ts';
import { insertFile } from '../../shared/domain/files/file-store.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

/** A size that is smaller than the files for which the API begins uploads in parts. */
export async function givePartsUpload(context: FullContext, accountId: string) {
  const content = 'content';
  const bytes = content.length;
  const fileId = context.ids.next();
  const parts = partsOf(bytes);
  const expected = { contentType: 'video/mp4', parts, forSeconds: uploadSeconds };
  const upload = await fileStorage(context).beginParts(uploadKey({ fileId }), expected);
  const etags = await Promise.all(
    upload.parts.map(
      async ({ url }) =>
        (
          await fetch(url, {
            method: 'PUT',
            body: content,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
        ).headers.get('etag') ?? '',
    ),
  );
  const { uploadId } = upload;
  const createdAt = context.clock.now();
  const file = {
    accountId,
    fileId,
    contentType: 'video/mp4',
    bytes,
    secret: context.ids.secret(16),
    createdAt,
  } as const;
  await context.table.transact([insertFile({ ...file, uploadId })]);
  return { fileId, etags };
}
