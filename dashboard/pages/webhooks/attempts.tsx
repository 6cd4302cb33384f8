/** The attempts to deliver a webhook: what the receiver responded, and why an attempt failed. */
import { Text } from '@mantine/core';
import type { Task } from '../../../shared/contracts/task.ts';
import { useLanguage } from '../../language/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Status } from '../../parts/status.tsx';
import { deliveryReason } from './delivery-reason.ts';

type Attempt = NonNullable<Task['webhook']>['attempts'][number];

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const { text } = useLanguage();
  const { error, statusCode } = attempt;
  const status = error === null ? 'delivered' : 'failed';
  const label = statusCode === null ? text.deliveryStatuses[status] : text.tasks.httpStatus(statusCode);
  return (
    <>
      <Status status={status} label={label} />
      {error !== null && <Text size="sm">{deliveryReason(attempt, text)}</Text>}
    </>
  );
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
