/** The payments that an operator must decide about. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { operateRecordContracts } from '../../../shared/contracts/operate-records.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { AccountLink } from '../account-link.tsx';
import { caseColumns } from '../case-columns.tsx';
import { RecordTable } from '../record-table.tsx';

export function Cases() {
  const { format } = useLanguage();
  const [status, setStatus] = useState('open');
  const query = useApi(operateRecordContracts.listCases, { query: { status } });
  return (
    <Page
      title="Cases"
      lead="Payments that need a decision, oldest first."
      action={
        <SegmentedControl
          aria-label="Which cases"
          value={status}
          onChange={setStatus}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'all', label: 'Latest' },
          ]}
        />
      }
    >
      <Loaded query={query}>
        {({ cases }) => (
          <RecordTable
            title={status === 'open' ? 'Open cases' : 'Latest cases'}
            rows={cases}
            keyOf={({ caseId }) => caseId}
            columns={[
              { label: 'Case', cell: ({ kind }) => kind },
              {
                label: 'Account',
                cell: ({ accountId, email }) =>
                  accountId === null ? 'none' : <AccountLink accountId={accountId} email={email} />,
              },
              ...caseColumns(format),
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}
