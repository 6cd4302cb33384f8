/** The attempts to deliver a webhook: what the receiver responded, and why an attempt failed. */
import { Text } from '@mantine/core';
import type { Task } from '../../../shared/contracts/tasks.ts';
import { useLanguage } from '../../language/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Status } from '../../parts/status.tsx';
import { deliveryReason } from './delivery-reason.ts';

type Attempt = NonNullable<Task['webhook']>['attempts'][number];

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const { text } = useLanguage();
  const { error, statusCode } = attempt;
  const status = statusCode === null ? [] : [text.tasks.httpStatus(statusCode)];
  const reason = deliveryReason(attempt, text);
  const label = [...status, ...(reason === undefined ? [] : [reason])].join(' · ');
  return <Status status={error === null ? 'delivered' : 'failed'} label={label} />;
}

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { text, format } = useLanguage();
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.tasks.noAttempts}
      </Text>
    );
  }
  return (
    <DataTable
      rows={attempts}
      keyOf={({ at }) => at}
      columns={[
        { label: text.tasks.attempt, cell: ({ at }) => format.exact(at) },
        { label: text.tasks.response, cell: (attempt) => <Outcome attempt={attempt} /> },
        {
          label: text.tasks.duration,
          isNumber: true,
          cell: ({ durationMs }) => `${format.number(durationMs)} ms`,
        },
      ]}
    />
  );
}
