import { filesContracts } from '../../shared/contracts/files.ts';
import { createFile as requestUpload } from '../../shared/domain/files/create-file.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import { pause } from '../../shared/platform/pause.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Creates a file and returns a form that uploads it, or URLs for its parts. */
export const createFile: Operation<'createFile', 'fileStorage'> = ({ actor, body, idempotency }, context) =>
  requestUpload({ ...context, pause }, { accountId: actor.accountId, requested: body, idempotency });

export const definition = sharedLambda(filesContracts.createFile, createFile, { fileStorage });
