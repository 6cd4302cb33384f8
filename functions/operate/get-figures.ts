import { operateContracts } from '../../shared/contracts/operate.ts';
import { reportFigures } from '../../shared/domain/figures/report-figures.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import { dayAt } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns what a day brought. */
export const getFigures: OperateOperation<'getFigures', 'catalog'> = async ({ query }, context) => {
  const { rows, totals, ...about } = await reportFigures(context, query.day ?? dayAt(context.clock.now()), query.by);
  return { ...about, rows: [...rows], totals };
};

export const definition = operateLambda(operateContracts.getFigures, getFigures, { catalog });
