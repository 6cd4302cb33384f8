/** The ledger: every change of the balance. */
import { Text } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { usePaging } from '../../parts/pager.tsx';

type Entry = Data<typeof accountContracts.listCreditHistory>['history'][number];

function Reason({ entry: { reason, toolId } }: { readonly entry: Entry }) {
  const { text } = useLanguage();
  return (
    <>
      {labelOf(text.ledgerReasons, reason)}
      {toolId !== null && (
        <Text span size="sm" c="dimmed">
          {' · '}
          {labelOf(text.taskTypes, toolId)}
        </Text>
      )}
    </>
  );
}

const Amount = ({ amount }: { readonly amount: number }) => {
  const { format } = useLanguage();
  return (
    <Text span size="sm" c={amount > 0 ? 'var(--good)' : 'inherit'}>
      {format.signed(amount)}
    </Text>
  );
};

export function History() {
  const { text, format } = useLanguage();
  const paging = usePaging(20);
  const query = useApi(
    accountContracts.listCreditHistory,
    { query: paging.query },
    { placeholderData: (previous) => previous },
  );
  return (
    <PagedTable
      title={text.billing.history}
      empty={text.billing.noHistory}
      query={query}
      paging={paging}
      rowsOf={({ history }) => history}
      columns={[
        { label: text.billing.date, cell: ({ createdAt }) => format.moment(createdAt) },
        { label: text.billing.reason, cell: (entry) => <Reason entry={entry} /> },
        { label: text.billing.change, isNumber: true, cell: ({ amount }) => <Amount amount={amount} /> },
      ]}
    />
  );
}
