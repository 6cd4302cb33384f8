/** The tokens of an account, with their caps. */
import { Group } from '@mantine/core';
import type { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import type { Data } from '../../api/call.ts';
import { useLanguage } from '../../language/language.tsx';
import { Status } from '../../parts/status.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { RecordTable } from '../record-table.tsx';

interface CustomerTokensProps {
  readonly customer: Pick<Data<typeof operateCustomerContracts.getCustomer>, 'account' | 'tokens'>;
}

export function CustomerTokens({ customer: { account, tokens } }: CustomerTokensProps) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title="Tokens"
      rows={tokens}
      keyOf={({ tokenId }) => tokenId}
      columns={[
        { label: 'Token', cell: ({ name }) => name },
        { label: 'State', cell: ({ status }) => <Status status={status} label={status} /> },
        { label: 'Mode', cell: ({ mode }) => mode },
        { label: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
        {
          label: 'Cap a month',
          isNumber: true,
          cell: ({ monthlyCreditCap }) => (monthlyCreditCap === null ? 'none' : format.number(monthlyCreditCap)),
        },
        {
          label: 'Spent this month',
          isNumber: true,
          cell: ({ creditsSpentThisMonth: spent }) => (spent === null ? 'not counted' : format.number(spent)),
        },
        { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? format.moment(lastUsedAt) : 'never') },
        { label: 'Id', cell: ({ tokenId }) => tokenId },
        {
          label: 'Acts',
          cell: ({ monthlyCreditCap: cap, status, tokenId: token }) =>
            status === 'active' && (
              <Group gap="xs">
                <ActButton
                  act="setTokenCap"
                  label="Set cap"
                  given={{ account: account.accountId, token }}
                  initial={{ cap }}
                />
                <ActButton act="revokeToken" label="Revoke" given={{ account: account.accountId, token }} />
              </Group>
            ),
        },
      ]}
    />
  );
}
