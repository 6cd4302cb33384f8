/** The tasks that are running now, with their progress. */
import { Group, Progress, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { apiQuery } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { isOpen, pollMs } from '../tasks/task-media.ts';

/** All running tasks, requested by status because lists filter by one status; undefined while loading. */
export function useRunningTasks(): { readonly tasks: readonly TaskSummary[] | undefined } {
  const lists = useQueries({
    queries: taskStatuses
      .filter((status) => isOpen({ status }))
      .map((status) => ({
        ...apiQuery(tasksContracts.listTasks, { query: { limit: simultaneousTasks, status } }),
        refetchInterval: pollMs,
      })),
  });
  const known = lists.flatMap(({ data }) => (data ? [data.tasks] : []));
  if (known.length < lists.length) return { tasks: undefined };
  return { tasks: known.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1)) };
}

function Row({ task }: { readonly task: TaskSummary }) {
  const { text, format } = useLanguage();
  const label = labelOf(text.taskTypes, task.taskType);
  return (
    <li>
      <Group justify="space-between" gap="xs" mb={6}>
        <TextLink to="/tasks/$taskId" params={{ taskId: task.id }} size="sm" fw={500}>
          {label}
        </TextLink>
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {format.ago(task.createdAt)}
          </Text>
          <Status status={task.status} label={labelOf(text.taskStatuses, task.status)} />
        </Group>
      </Group>
      <Progress
        value={task.progress}
        size="sm"
        animated
        aria-label={`${label} ${text.tasks.progress(task.progress)}`}
      />
    </li>
  );
}

export function RunningTasks() {
  const { text } = useLanguage();
  const { tasks = [] } = useRunningTasks();
  return (
    <Section
      title={text.overview.running}
      action={
        <TextLink to="/tasks" size="sm">
          {text.overview.allTasks}
        </TextLink>
      }
    >
      {tasks.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.overview.nothingRuns}
        </Text>
      ) : (
        <ul className="rows">
          {tasks.map((task) => (
            <Row key={task.id} task={task} />
          ))}
        </ul>
      )}
    </Section>
  );
}
