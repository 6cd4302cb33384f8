/** The ledger: every change of the balance. */
import { Table, Text } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';

type Entry = Data<typeof accountContracts.listCreditHistory>['history'][number];

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { text, format } = useLanguage();
  const { amount, createdAt, reason, toolId } = entry;
  return (
    <Table.Tr>
      <Table.Td>{format.moment(createdAt)}</Table.Td>
      <Table.Td>
        {labelOf(text.ledgerReasons, reason)}
        {toolId !== null && (
          <Text span size="sm" c="dimmed">
            {' · '}
            {labelOf(text.taskTypes, toolId)}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="number" c={amount > 0 ? 'var(--good)' : 'inherit'}>
        {format.signed(amount)}
      </Table.Td>
    </Table.Tr>
  );
}

function EntryTable({ history }: { readonly history: readonly Entry[] }) {
  const { text } = useLanguage();
  return (
    <div className="table-scroll">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.billing.date}</Table.Th>
            <Table.Th>{text.billing.reason}</Table.Th>
            <Table.Th className="number">{text.billing.change}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {history.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function History() {
  const { text } = useLanguage();
  const paging = usePaging(20);
  const query = useApi(
    accountContracts.listCreditHistory,
    { query: paging.query },
    { placeholderData: (previous) => previous },
  );
  return (
    <Section title={text.billing.history}>
      <Loaded query={query}>
        {({ history }) => (
          <>
            {history.length === 0 ? (
              <Text size="sm" c="dimmed">
                {text.billing.noHistory}
              </Text>
            ) : (
              <EntryTable history={history} />
            )}
            <Pager paging={paging} count={history.length} of={text.billing.history} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
