/** How the webhook of a task was delivered, and sending it again. */
import { Table, Text } from '@mantine/core';
import type { Task } from '../../../shared/contracts/tasks.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';

function Attempts({ attempts }: Pick<NonNullable<Task['webhook']>, 'attempts'>) {
  const { text, format } = useLanguage();
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.tasks.noAttempts}
      </Text>
    );
  }
  return (
    <div className="table-scroll">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.tasks.attempt}</Table.Th>
            <Table.Th>{text.tasks.response}</Table.Th>
            <Table.Th className="number">{text.tasks.duration}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map(({ at, statusCode, error, durationMs }) => (
            <Table.Tr key={at}>
              <Table.Td>{format.exact(at)}</Table.Td>
              <Table.Td>
                <Status status={error === null ? 'delivered' : 'failed'} label={error ?? `${statusCode ?? ''}`} />
              </Table.Td>
              <Table.Td className="number">{format.number(durationMs)} ms</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function TaskWebhook({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  const { webhook } = task;
  if (!webhook) {
    return (
      <Section title={text.tasks.webhook}>
        <Text size="sm" c="dimmed">
          {text.tasks.noWebhook}
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title={text.tasks.webhook}
      action={<Status status={webhook.status} label={labelOf(text.deliveryStatuses, webhook.status)} />}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {webhook.url}
      </Text>
      <Attempts attempts={webhook.attempts} />
    </Section>
  );
}
