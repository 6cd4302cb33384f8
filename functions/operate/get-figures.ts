import { operateContracts } from '../../shared/contracts/operate.ts';
import { shownFigures } from '../../shared/contracts/operate-overview.ts';
import { reportFigures } from '../../shared/domain/figures/report-figures.ts';
import { ownerEmails } from '../../shared/domain/operator-reads/owner-emails.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import { dayAt } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns what a day brought; of many accounts, those with most tasks. */
export const getFigures: OperateOperation<'getFigures', 'catalog'> = async ({ query }, context) => {
  const { rows, totals, ...about } = await reportFigures(context, query.day ?? dayAt(context.clock.now()), query.by);
  const shown = rows.toSorted((one, other) => other.tasks - one.tasks).slice(0, shownFigures);
  const names = query.by === 'account' ? shown.map(({ name }) => name) : [];
  const emailOf = await ownerEmails(context.table, names);
  return {
    ...about,
    rows: shown.map((row) => ({ ...row, email: emailOf(row.name) })),
    totals,
  };
};

export const definition = operateLambda(operateContracts.getFigures, getFigures, { catalog });
