/** A table of operators' acts, as recorded in the log. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import type { Data } from '../../api/call.ts';
import { useLanguage } from '../../language/language.tsx';
import { Status } from '../../parts/status.tsx';
import { RecordTable } from '../record-table.tsx';
import { ActChanges } from './act-changes.tsx';

type Entry = Data<typeof operateActContracts.listActs>['acts'][number];

interface ActsTableProps {
  readonly title: string;
  readonly acts: readonly Entry[];
  /** The buttons for an act, such as to undo it. */
  readonly actionOf?: (entry: Entry) => ReactNode;
}

const Changes = ({ entry }: { readonly entry: Entry }) =>
  entry.before === null && entry.after === null ? (
    <Text size="sm">{entry.isShortened ? 'Too large for this list: see the page of its subject.' : '–'}</Text>
  ) : (
    <details>
      <summary>before and after</summary>
      <ActChanges before={entry.before} after={entry.after} />
    </details>
  );

export function ActsTable({ acts, actionOf, title }: ActsTableProps) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title={title}
      rows={acts}
      keyOf={({ actId }) => actId}
      columns={[
        {
          label: 'Act',
          cell: ({ act, code, state }) => (
            <Stack gap={2} align="flex-start">
              {act}
              <Status status={state} label={code === null ? state : `${state}: ${code}`} />
            </Stack>
          ),
        },
        { label: 'Time', cell: ({ at }) => format.exact(at) },
        { label: 'Who', cell: ({ operator, role }) => `${operator}, ${role}` },
        { label: 'Why', cell: ({ reason }) => reason },
        { label: 'On', cell: ({ subject }) => subject },
        {
          label: 'Changes',
          cell: (entry) => (
            <Stack gap="xs" align="flex-start">
              <Changes entry={entry} />
              {actionOf?.(entry)}
            </Stack>
          ),
        },
      ]}
    />
  );
}
