/** The open cases about payments of an account. */
import type { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import { operateRecordContracts } from '../../../shared/contracts/operate-records.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { caseColumns } from '../case-columns.tsx';
import { RecordTable } from '../record-table.tsx';

interface CustomerCasesProps {
  readonly customer: Pick<Data<typeof operateCustomerContracts.getCustomer>, 'account'>;
}

export function CustomerCases({ customer: { account } }: CustomerCasesProps) {
  const { format } = useLanguage();
  const query = useApi(operateRecordContracts.listCases, { query: { status: 'open' } });
  return (
    <Loaded query={query}>
      {({ cases }) => (
        <RecordTable
          title={cases.length < 100 ? 'Open cases' : 'Open cases, of the hundred oldest of all accounts'}
          rows={cases.filter(({ accountId }) => accountId === account.accountId)}
          keyOf={({ caseId }) => caseId}
          columns={[
            { label: 'Case', cell: ({ kind }) => kind },
            { label: 'Order', cell: ({ orderId }) => orderId },
            ...caseColumns(format),
          ]}
        />
      )}
    </Loaded>
  );
}
