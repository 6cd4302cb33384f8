/** The newest failed tasks, and why they failed. */
import { Group, Text } from '@mantine/core';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';

function Row({ task }: { readonly task: TaskSummary }) {
  const { text, format } = useLanguage();
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <TextLink to="/tasks/$taskId" params={{ taskId: task.id }} size="sm" fw={500}>
          {labelOf(text.taskTypes, task.taskType)}
        </TextLink>
        <Text size="sm" c="dimmed">
          {format.ago(task.createdAt)}
        </Text>
      </Group>
      {task.error && <Text size="sm">{labelOf(text.taskErrors, task.error.code)}</Text>}
    </li>
  );
}

export function FailedTasks() {
  const { text } = useLanguage();
  const query = useApi(
    tasksContracts.listTasks,
    { query: { limit: 5, status: 'failed' } },
    { refetchInterval: 10_000 },
  );
  return (
    <Section
      title={text.overview.failed}
      action={
        <TextLink to="/tasks" search={{ status: 'failed' }} size="sm">
          {text.common.all}
        </TextLink>
      }
    >
      <Loaded query={query}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {text.overview.nothingFailed}
            </Text>
          ) : (
            <ul className="rows">
              {tasks.map((task) => (
                <Row key={task.id} task={task} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
