import { operateContracts } from '../../shared/contracts/operate.ts';
import { presentAct } from '../../shared/domain/operator-reads/present-act.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns an act with everything that it changed. */
export const getAct: OperateOperation<'getAct'> = async ({ fail, params }, { table }) => {
  const entry = await actLog(table).find(params.actId);
  return entry ? presentAct(entry) : fail('NOT_FOUND');
};

export const definition = operateLambda(operateContracts.getAct, getAct);
