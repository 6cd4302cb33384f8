/** The list of all accounts, newest first. */
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { ActButton } from '../acts/act-button.tsx';

export function Customers() {
  const { format } = useLanguage();
  const paging = usePaging(50);
  const query = useApi(operateCustomerContracts.listCustomers, { query: paging.query });
  return (
    <Page
      title="Customers"
      lead="Find one with Ctrl+K, by e-mail address, name or any id."
      action={
        <Group gap="xs">
          <ActButton act="createAccount" label="Create an account" />
          <ActButton act="inviteOwner" label="Invite someone" />
        </Group>
      }
    >
      <Section title="Accounts, newest first">
        <Loaded query={query} rows={6}>
          {({ customers }) => (
            <>
              {customers.length === 0 && <Text size="sm">There are no accounts.</Text>}
              <DataTable
                rows={customers}
                keyOf={({ accountId }) => accountId}
                columns={[
                  {
                    label: 'Owner',
                    cell: ({ accountId, email }) => (
                      <Anchor component="span">
                        <Link to="/customers/$accountId" params={{ accountId }}>
                          {email}
                        </Link>
                      </Anchor>
                    ),
                  },
                  { label: 'Name', cell: ({ name }) => name },
                  { label: 'Plan', cell: ({ plan }) => plan ?? '–' },
                  { label: 'Balance', isNumber: true, cell: ({ balance }) => format.number(balance) },
                  { label: 'Open tasks', isNumber: true, cell: ({ openTasks }) => format.number(openTasks) },
                  { label: 'Created', cell: ({ createdAt }) => format.moment(createdAt) },
                ]}
              />
              <Pager paging={paging} count={customers.length} of="Accounts" />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
