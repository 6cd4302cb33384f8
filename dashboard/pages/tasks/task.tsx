/** One task: its results, its history, and how to repeat it. */
import { Alert, Button, Grid, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { Task } from '../../../shared/contracts/task.ts';
import { isTaskType } from '../../../shared/contracts/task-types.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { watchedPollMs } from '../../api/poll-hints.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CodeBlock, Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import { NotFound } from '../not-found.tsx';
import { curlOf } from './curl.ts';
import { DeleteTask } from './delete-task.tsx';
import { sentRequest } from './sent-request.ts';
import { isOpen } from './task-media.ts';
import { modeIn, modeSearch, TaskModeContext, useTaskMode } from './task-mode.ts';
import { TaskResults } from './task-results.tsx';
import { TaskWebhook } from './task-webhook.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/tasks/$taskId');

function CancelTask({ taskId }: { readonly taskId: string }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const mode = useTaskMode();
  const cancel = useCall(tasksContracts.cancelTask, { onSettled: () => queries.invalidateQueries() });
  return (
    <Confirm
      title={text.tasks.cancelTitle}
      text={text.tasks.cancelText}
      action={text.tasks.cancelTask}
      keep={text.tasks.keep}
      pending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutateAsync({ params: { taskId }, mode })}
      button={(open) => (
        <Button variant="default" onClick={open}>
          {text.tasks.cancelTask}
        </Button>
      )}
    />
  );
}

function Repeat({ task: { input, taskType } }: { readonly task: Task }) {
  const { text } = useLanguage();
  const { apiUrl } = useSession();
  const operation = isTaskType(taskType) ? generationOf(taskType) : undefined;
  const sent = operation ? sentRequest(operation.body, input) : input;
  return (
    <Section title={text.tasks.request} hint={text.tasks.repeatHint}>
      <CodeBlock label={text.tasks.request} code={JSON.stringify(sent, null, 2)} />
      {operation && (
        <CodeBlock label={text.tasks.repeat} code={curlOf({ baseUrl: apiUrl, path: operation.path, body: sent })} />
      )}
    </Section>
  );
}

function Details({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  const credits = useCreditsOf(useTaskMode());
  const { clientReference, creditsRefunded, creditsUsed, id, label } = task;
  return (
    <Section title={text.tasks.details}>
      <Facts
        facts={[
          ...(label === null ? [] : [[text.tasks.label, label] as const]),
          [text.tasks.cost, credits(creditsUsed)],
          ...(creditsRefunded > 0 ? [[text.tasks.refundedAll, credits(creditsRefunded)] as const] : []),
          ...(clientReference === undefined ? [] : [[text.tasks.reference, clientReference] as const]),
          [
            text.tasks.id,
            <Group key="id" gap="xs">
              <code>{id}</code>
              <Copy value={id} of={text.tasks.id} />
            </Group>,
          ],
        ]}
      />
    </Section>
  );
}

function TaskDetails({ task }: { readonly task: Task }) {
  const { text } = useLanguage();
  const type = labelOf(text.taskTypes, task.taskType);
  const reason = labelOf(text.taskErrors, task.error?.code ?? '');
  return (
    <Page
      title={task.test ? `${type} · ${text.tokens.modes.test}` : type}
      action={
        <Group>
          <Status status={task.status} label={labelOf(text.taskStatuses, task.status)} />
          {isOpen(task) && <CancelTask taskId={task.id} />}
          <DeleteTask taskId={task.id} />
        </Group>
      }
    >
      {task.error && (
        <Alert color="red" icon={<Icon name="alert" />} title={reason}>
          <code>{task.error.code}</code> {task.error.message !== reason && task.error.message}
        </Alert>
      )}
      <TaskResults task={task} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack gap="lg">
            <Details task={task} />
            <Timeline task={task} />
            <TaskWebhook task={task} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Repeat task={task} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

export function TaskPage() {
  const { text } = useLanguage();
  const { taskId } = route.useParams();
  const mode = modeIn(route.useSearch());
  const query = useApi(
    tasksContracts.getTask,
    { params: { taskId }, mode },
    {
      refetchInterval: (query) =>
        query.state.data && isOpen(query.state.data) ? watchedPollMs(query, query.state.data) : false,
    },
  );
  return (
    <Stack gap="sm">
      <TextLink to="/tasks" search={modeSearch(mode)} size="sm" w="fit-content">
        ← {text.tasks.title}
      </TextLink>
      <Loaded query={query} missing={<NotFound />}>
        {(task) => (
          <TaskModeContext value={mode}>
            <TaskDetails task={task} />
          </TaskModeContext>
        )}
      </Loaded>
    </Stack>
  );
}
