import { studioCatalogContracts } from '../../shared/contracts/studio-catalog.ts';
import { studioRow } from '../../shared/domain/catalog/studio-row.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Lists the catalog for Studio videos; the contract leaves out instructions to engines. */
export const getStudioCatalog: Operation<'getStudioCatalog', 'catalog'> = async (_request, { catalog }) => {
  const { modes, hooks, settings } = await catalog.read(studioRow);
  return { modes: [...modes], hooks: [...hooks], settings: [...settings] };
};

export const definition = sharedLambda(studioCatalogContracts.getStudioCatalog, getStudioCatalog, { catalog });
