import { operateContracts } from '../../shared/contracts/operate.ts';
import { catalogRowNames } from '../../shared/domain/catalog/catalog-row.ts';
import { catalogRows } from '../../shared/domain/catalog/catalog-rows.ts';
import { memberSchemas } from '../../shared/domain/catalog/member-schemas.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns the current values of the catalog. */
export const getCatalog: OperateOperation<'getCatalog', 'catalog'> = async (_, { catalog }) => ({
  rows: await Promise.all(
    catalogRowNames.map(async (row) => {
      const { ignored, members, stored } = await catalog.show(catalogRows[row]);
      return {
        row,
        members: { ...members },
        stored: [...stored],
        ignored: [...ignored],
        schemas: { ...memberSchemas()[row] },
      };
    }),
  ),
});

export const definition = operateLambda(operateContracts.getCatalog, getCatalog, { catalog });
