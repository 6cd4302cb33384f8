import { filesContracts } from '../../shared/contracts/files.ts';
import { completeFile as complete } from '../../shared/domain/files/complete-file.ts';
import { files } from '../../shared/domain/store-ports.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Combines the parts of an upload. */
export const completeFile: Operation<'completeFile', 'files' | 'fileStorage'> = ({ actor, params, body }, context) =>
  complete(context, { accountId: actor.accountId, fileId: params.fileId, etags: body.etags });

export const definition = operationLambda(filesContracts.completeFile, completeFile, { files, fileStorage });
