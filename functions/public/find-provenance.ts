import { lookupsPerMinute } from '../../shared/contracts/limits.ts';
import { publishedFileContracts } from '../../shared/contracts/published-files.ts';
import { publishedFiles } from '../../shared/domain/store-ports.ts';
import { limitedByAddress } from '../../shared/runtime/limited-by-address.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Tells anybody whether the service published the file with a digest. */
export const findProvenance: Operation<'findProvenance', 'publishedFiles'> = async (
  { params, fail },
  { clock, publishedFiles },
) => {
  const file = await publishedFiles.find(params.sha256, clock.now());
  return file
    ? { published: true, ...file }
    : fail('NOT_FOUND', { message: 'This service did not publish this file, or no longer remembers it.' });
};

export const definition = operationLambda(
  publishedFileContracts.findProvenance,
  findProvenance,
  { publishedFiles },
  { authenticate: limitedByAddress(lookupsPerMinute) },
);
