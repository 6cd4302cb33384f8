/** The acts of operators, and the grants that wait for the approval of a second operator. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { AccountLink } from '../account-link.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { ActsTable } from '../acts/acts-table.tsx';
import { RecordTable } from '../record-table.tsx';

type Requests = Data<typeof operateActContracts.listGrantRequests>['requests'];

function Waiting({ requests }: { readonly requests: Requests }) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title="Grants that wait for approval"
      rows={requests}
      keyOf={({ requestId }) => requestId}
      columns={[
        { label: 'Account', cell: ({ accountId }) => <AccountLink accountId={accountId} /> },
        { label: 'Credits', isNumber: true, cell: ({ amount, kind }) => `${format.number(amount)} ${kind}` },
        { label: 'Requested by', cell: ({ reason, requestedBy }) => `${requestedBy}: ${reason}` },
        { label: 'Until', cell: ({ validUntil }) => format.moment(validUntil) },
        {
          label: 'Decision',
          cell: ({ requestId: request }) => (
            <Group gap="xs">
              <ActButton act="approveGrant" label="Approve" given={{ request }} />
              <ActButton act="declineGrant" label="Decline" given={{ request }} />
            </Group>
          ),
        },
      ]}
    />
  );
}

const shown = 20;

export function Acts() {
  /** For each page that the user has left, the id of its last act, so that the user can go back. */
  const [left, setLeft] = useState<readonly string[]>([]);
  const before = left.at(-1);
  const waiting = useApi(operateActContracts.listGrantRequests);
  const query = useApi(operateActContracts.listActs, { query: { limit: shown, before } });
  const last = query.data?.acts.at(-1)?.actId;
  return (
    <Page title="Acts" lead="Everything that operators did, newest first. Entries cannot be changed or deleted.">
      <Loaded query={waiting}>{({ requests }) => <Waiting requests={requests} />}</Loaded>
      <Loaded query={query} rows={6}>
        {({ acts }) => <ActsTable title="Acts of operators" acts={acts} />}
      </Loaded>
      <Group justify="space-between" component="nav" aria-label="Pages of acts">
        <Button size="xs" variant="default" disabled={before === undefined} onClick={() => setLeft(left.slice(0, -1))}>
          Newer
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={last === undefined || (query.data?.acts.length ?? 0) < shown}
          onClick={() => last !== undefined && setLeft([...left, last])}
        >
          Older
        </Button>
      </Group>
    </Page>
  );
}
