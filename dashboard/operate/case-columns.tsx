/** The columns of tables of cases. */
import type { operateRecordContracts } from '../../shared/contracts/operate-records.ts';
import type { Data } from '../api/call.ts';
import type { Formats } from '../language/format.ts';
import type { Column } from '../parts/data-table.tsx';
import { ActButton } from './acts/act-button.tsx';

type Case = Data<typeof operateRecordContracts.listCases>['cases'][number];

/** What the amount of a case is, where its kind says more than that something was paid. */
const amounts: Readonly<Record<string, string>> = {
  'disputed-payment': 'demanded back',
  'partial-refund': 'refunded',
  'used-credits': 'refunded',
};

/** Says what was paid, and of what price if that is known. */
function amountText({ amount, currency, kind, missingCredits, orderAmount }: Case): string {
  const of = orderAmount === null ? '' : ` of ${orderAmount.toFixed(2)}`;
  const missing = missingCredits === null ? '' : `, ${missingCredits} credits missing`;
  return `${amounts[kind] ?? 'paid'} ${currency} ${amount.toFixed(2)}${of}${missing}`;
}

export const caseColumns = (format: Formats): readonly Column<Case>[] => [
  { label: 'Amount', cell: amountText },
  { label: 'Payment', cell: ({ gateway, paymentId }) => `${gateway} ${paymentId}` },
  { label: 'Opened', cell: ({ createdAt }) => format.moment(createdAt) },
  {
    label: 'Resolution',
    cell: ({ caseId, resolution }) =>
      resolution ?? <ActButton act="resolveCase" label="Resolve" given={{ case: caseId }} />,
  },
];
