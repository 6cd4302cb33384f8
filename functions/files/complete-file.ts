import { filesContracts } from '../../shared/contracts/files.ts';
import { completeFile as complete } from '../../shared/domain/files/complete-file.ts';
import { files } from '../../shared/domain/store-ports.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Combines the parts of an upload. */
export const completeFile: Operation<'completeFile', 'files' | 'fileStorage'> = ({ actor, params, body }, context) =>
  complete(context, { accountId: actor.accountId, fileId: params.fileId, etags: body.etags });

export const definition = sharedLambda(filesContracts.completeFile, completeFile, { files, fileStorage });
