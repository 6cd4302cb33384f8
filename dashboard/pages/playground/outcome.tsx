/** The outcome of a task: its progress, its results, or why it failed and how many credits were refunded. */
import { Alert, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { watchedPollMs } from '../../api/poll-hints.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import { isOpen } from '../tasks/task-media.ts';
import { modeSearch } from '../tasks/task-mode.ts';
import { ResultFigures, Running } from '../tasks/task-results.tsx';
import { useTexts } from './use-texts.ts';

interface OutcomeProps {
  readonly taskId: string | undefined;
  readonly mode: TokenMode;
}

/** A task, polled as the service asks until it has ended. */
const useTask = ({ taskId = '', mode }: OutcomeProps) =>
  useApi(
    tasksContracts.getTask,
    { params: { taskId }, mode },
    {
      enabled: taskId !== '',
      refetchInterval: (query) =>
        query.state.data && isOpen(query.state.data) ? watchedPollMs(query, query.state.data) : false,
    },
  );

function Ended({ taskId, mode }: OutcomeProps) {
  const texts = useTexts();
  const { text } = useLanguage();
  const credits = useCreditsOf(mode);
  const queries = useQueryClient();
  const query = useTask({ taskId, mode });
  const status = query.data?.status;
  useEffect(() => {
    if (status === 'completed' || status === 'failed') {
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== tasksContracts.getTask.operationId,
      });
    }
  }, [status, queries]);
  return (
    <Loaded query={query}>
      {(task) => (
        <>
          <Group justify="space-between" gap="sm">
            {isOpen(task) ? <span /> : <Status status={task.status} label={labelOf(text.taskStatuses, task.status)} />}
            <Text size="sm" c="dimmed">
              {texts.cost(credits(task.creditsUsed - task.creditsRefunded))}
              {' · '}
              <TextLink
                to="/tasks/$taskId"
                params={{ taskId: task.id }}
                search={modeSearch(mode)}
                size="sm"
                underline="always"
              >
                {texts.details}
              </TextLink>
            </Text>
          </Group>
          {task.error && (
            <Alert
              color="red"
              icon={<Icon name="alert" />}
              title={labelOf(text.taskErrors, task.error.code)}
              role="alert"
            >
              <code>{task.error.code}</code> · {texts.cameBack(credits(task.creditsRefunded))}
            </Alert>
          )}
          {isOpen(task) ? <Running task={task} /> : <ResultFigures task={task} />}
        </>
      )}
    </Loaded>
  );
}

export function Outcome({ taskId, mode }: OutcomeProps) {
  const texts = useTexts();
  const place = useRef<HTMLDivElement>(null);
  // On phones, the result is below the form.
  useEffect(() => {
    if (taskId !== undefined) place.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [taskId]);
  return (
    <div ref={place} className="outcome">
      <Section title={texts.result}>
        {taskId === undefined ? (
          <Text size="sm" c="dimmed">
            {texts.nothingYet}
          </Text>
        ) : (
          <Ended key={taskId} taskId={taskId} mode={mode} />
        )}
      </Section>
    </div>
  );
}
