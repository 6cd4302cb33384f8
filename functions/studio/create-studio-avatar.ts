import { studioContracts } from '../../shared/contracts/studio.ts';
import { accounts, avatars, catalog, files } from '../../shared/domain/store-ports.ts';
import { createAvatar } from '../../shared/domain/studio/create-avatar.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { pause } from '../../shared/platform/pause.ts';
import { addressProblems } from '../../shared/runtime/address-problems.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Saves an avatar; there is at most one per source influencer. */
export const createStudioAvatar: Operation<
  'createStudioAvatar',
  'fileStorage' | 'outbound' | 'accounts' | 'avatars' | 'catalog' | 'files'
> = ({ actor, body, idempotency }, context) =>
  createAvatar({ ...context, pause }, { accountId: actor.accountId, body, idempotency });

export const definition = sharedLambda(
  studioContracts.createStudioAvatar,
  createStudioAvatar,
  { accounts, avatars, catalog, files, fileStorage, outbound },
  { findAddressProblems: addressProblems },
);
