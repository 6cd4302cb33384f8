import { studioContracts } from '../../shared/contracts/studio.ts';
import { accounts, catalog, files } from '../../shared/domain/store-ports.ts';
import { createProduct } from '../../shared/domain/studio/create-product.ts';
import { fileStorage } from '../../shared/platform/file-storage.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { pause } from '../../shared/platform/pause.ts';
import { addressProblems } from '../../shared/runtime/address-problems.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';
import { textWriter } from '../../shared/text-writers/text-writers.ts';

/** Saves a product with its images, and generates a missing title or description. */
export const createStudioProduct: Operation<
  'createStudioProduct',
  'fileStorage' | 'outbound' | 'textWriter' | 'accounts' | 'catalog' | 'files'
> = ({ actor, body, idempotency }, context) =>
  createProduct({ ...context, pause }, { accountId: actor.accountId, body, idempotency });

export const definition = sharedLambda(
  studioContracts.createStudioProduct,
  createStudioProduct,
  { accounts, catalog, files, fileStorage, outbound, textWriter },
  { findAddressProblems: addressProblems },
);
