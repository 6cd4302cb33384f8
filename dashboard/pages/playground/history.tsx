/** The latest tasks of the operation: to look at again, or to fill the form again. */
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import type { TaskSummary } from '../../../shared/contracts/task.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import { pollMs } from '../tasks/task-media.ts';
import { type Request, withoutTestCase } from './request.ts';
import { useTexts } from './use-texts.ts';

interface HistoryProps {
  readonly request: Request;
  readonly onShow: (taskId: string) => void;
  readonly onAgain: (taskId: string) => void;
}

const shown = 6;

function Entry({
  task,
  mode,
  onShow,
  onAgain,
}: {
  readonly task: TaskSummary;
  readonly mode: TokenMode;
  readonly onShow: () => void;
  readonly onAgain: () => void;
}) {
  const texts = useTexts();
  const { text, format } = useLanguage();
  const credits = useCreditsOf(mode);
  const { label, status, createdAt, creditsUsed, creditsRefunded, taskType } = task;
  const written = mode === 'test' && label !== null ? withoutTestCase(label) : label;
  const title = written ?? labelOf(text.taskTypes, taskType);
  return (
    <li>
      <UnstyledButton onClick={onShow} title={texts.show}>
        <Text size="sm" truncate>
          {title}
        </Text>
        <Group gap="xs">
          <Status status={status} label={labelOf(text.taskStatuses, status)} />
          <Text size="xs" c="dimmed">
            {creditsRefunded > 0 ? texts.cameBack(credits(creditsRefunded)) : credits(creditsUsed)} ·{' '}
            <time dateTime={createdAt}>{format.ago(createdAt)}</time>
          </Text>
        </Group>
      </UnstyledButton>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="repeat" size={14} />}
        onClick={onAgain}
        aria-label={`${texts.again}: ${title}`}
      >
        {texts.again}
      </Button>
    </li>
  );
}

export function History({ request: { contract, mode }, onShow, onAgain }: HistoryProps) {
  const texts = useTexts();
  const query = useApi(
    tasksContracts.listTasks,
    { query: { taskType: contract.taskType, limit: shown }, mode },
    { refetchInterval: (query) => pollMs(query) },
  );
  return (
    <Section title={texts.history}>
      <Loaded query={query}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.noHistory}
            </Text>
          ) : (
            <ul className="history">
              {tasks.map((task) => (
                <Entry
                  key={task.id}
                  task={task}
                  mode={mode}
                  onShow={() => onShow(task.id)}
                  onAgain={() => onAgain(task.id)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
