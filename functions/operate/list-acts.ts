import { operateContracts } from '../../shared/contracts/operate.ts';
import { catalogRowNames } from '../../shared/domain/catalog/catalog-row.ts';
import { presentAct } from '../../shared/domain/operator-reads/present-act.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists what operators did: everything, or what is about an account or a row of the catalog. */
export const listActs: OperateOperation<'listActs'> = async ({ fail, query }, { table }) => {
  const { account, before, limit } = query;
  const row = query.row === undefined ? undefined : catalogRowNames.find((name) => name === query.row);
  if (query.row !== undefined && row === undefined) {
    fail('VALIDATION_ERROR', { message: `row must be one of ${catalogRowNames.join(', ')}` });
  }
  if (account !== undefined && row !== undefined) {
    fail('VALIDATION_ERROR', { message: 'row cannot be combined with account' });
  }
  const subject = account === undefined ? row && (`catalog/${row}` as const) : (`account/${account}` as const);
  const log = actLog(table);
  const found = await (subject === undefined ? log.list({ limit, before }) : log.of(subject, { limit, before }));
  return { acts: readable(table, { kind: 'act', idOf: ({ actId }) => actId }, found, presentAct) };
};

export const definition = operateLambda(operateContracts.listActs, listActs);
