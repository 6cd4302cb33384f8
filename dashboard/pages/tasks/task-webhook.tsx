/** The delivery of a task's webhook, and a button to send it again. */
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Task } from '../../../shared/contracts/task.ts';
import { taskEventsContracts } from '../../../shared/contracts/task-events.ts';
import { useCall } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { Attempts } from '../webhooks/attempts.tsx';
import { isOpen } from './task-media.ts';
import { useTaskMode } from './task-mode.ts';

export function Redeliver({ taskId }: { readonly taskId: string }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const mode = useTaskMode();
  const redeliver = useCall(taskEventsContracts.redeliverWebhook, {
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Group gap="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="repeat" size={14} />}
        loading={redeliver.isPending}
        onClick={() => redeliver.mutate({ params: { taskId }, mode })}
      >
        {text.tasks.redeliver}
      </Button>
      <Text size="sm" role="status" c={redeliver.isError ? 'var(--mantine-color-error)' : 'dimmed'}>
        {redeliver.isSuccess && text.tasks.redelivered}
        {redeliver.isError && failureText(redeliver.error, text)}
      </Text>
    </Group>
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
      {!isOpen(task) && <Redeliver taskId={task.id} />}
    </Section>
  );
}
