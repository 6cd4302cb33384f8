/** A task in the gallery. */
import { Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TaskSummary } from '../../../shared/contracts/tasks.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Status } from '../../parts/status.tsx';
import { Preview } from './preview.tsx';
import { extentOf } from './task-media.ts';

export function TaskCard({ task }: { readonly task: TaskSummary }) {
  const { text, format, credits } = useLanguage();
  const [result] = task.results ?? [];
  const { id, taskType, label, status, results = [], creditsUsed, creditsRefunded, createdAt, clientReference } = task;
  return (
    <Paper component="article" className="task-card">
      <div className="preview">
        <Preview task={task} />
        {results.length > 1 && <span className="count">{results.length}</span>}
      </div>
      <Stack gap={4} p="sm">
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Link to="/tasks/$taskId" params={{ taskId: id }} className="stretched">
            {labelOf(text.taskTypes, taskType)}
          </Link>
          <Status status={status} label={labelOf(text.taskStatuses, status)} />
        </Group>
        {label !== null && (
          <Text size="sm" truncate title={label}>
            {label}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            <time dateTime={createdAt} title={format.exact(createdAt)}>
              {format.ago(createdAt)}
            </time>
            {result && extentOf(result, format).map((fact) => ` · ${fact}`)}
          </Text>
          <Text size="sm" c="dimmed">
            {creditsRefunded > 0 ? text.tasks.refunded(credits(creditsRefunded)) : credits(creditsUsed)}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" truncate title={clientReference ?? id}>
          {clientReference ?? <code>…{id.slice(-12)}</code>}
        </Text>
      </Stack>
    </Paper>
  );
}
