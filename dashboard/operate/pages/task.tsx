/** A task with its engine jobs and its events. */
import { Anchor, Code, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import { operateTaskContracts } from '../../../shared/contracts/operate-tasks.ts';
import { taskRequester } from '../../../shared/contracts/task-requester.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { AccountLink } from '../account-link.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { attemptText } from '../attempt-text.ts';
import { dollars } from '../money.ts';
import { RecordTable } from '../record-table.tsx';

type Inspected = Data<typeof operateTaskContracts.inspectTask>;

/** The account of a task as its page shows it, and the names of its tokens; undefined until it is read, or if it is erased. */
function useOwner({ accountId }: Inspected['task']) {
  const params = { accountId: accountId.replace(/^test-/, '') };
  const { data } = useApi(operateCustomerContracts.getCustomer, { params }, { staleTime: 60_000 });
  return {
    email: data?.account.email,
    nameOf: (tokenId: string) => data?.tokens.find((token) => token.tokenId === tokenId)?.name ?? '',
  };
}

type NameOf = ReturnType<typeof useOwner>['nameOf'];

const requesterOf = (by: string | null, nameOf: NameOf): string => taskRequester(by ?? 'owner', nameOf(by ?? ''));

function TaskFacts({ task }: Pick<Inspected, 'task'>) {
  const { format } = useLanguage();
  const { email, nameOf } = useOwner(task);
  return (
    <Section title="Task">
      <Facts
        facts={[
          ['Id', task.id],
          ['State', <Status key="state" status={task.status} label={task.error?.code ?? task.status} />],
          ['Why it failed', task.error?.message ?? '–'],
          ['Account', <AccountLink key="account" accountId={task.accountId} email={email} />],
          ['Created by', requesterOf(task.tokenId, nameOf)],
          ['Client reference', task.clientReference ?? '–'],
          ['Route', task.route],
          ['Credits', `${format.number(task.creditsUsed)}, refunded ${format.number(task.creditsRefunded)}`],
          ['Engine cost', dollars(task.engineCostMicros)],
          ['Consent to the likeness', task.input.likenessConsent === true ? 'declared' : 'not declared'],
          ['Webhook', task.webhook ? `${task.webhook.status}: ${task.webhook.url}` : '–'],
          ['Created', format.exact(task.createdAt)],
          ['May run until', task.deadlineAt === null ? '–' : format.exact(task.deadlineAt)],
          ['Ended', task.completedAt ? format.exact(task.completedAt) : '–'],
        ]}
      />
    </Section>
  );
}

function Results({ task: { results = [] } }: Pick<Inspected, 'task'>) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title="Results"
      rows={results}
      keyOf={({ url }) => url}
      columns={[
        {
          label: 'File',
          cell: ({ url }) => (
            <Anchor href={url} target="_blank" rel="noopener noreferrer" style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Anchor>
          ),
        },
        { label: 'Type', cell: ({ contentType }) => contentType },
        { label: 'Stored until', cell: ({ expiresAt }) => format.exact(expiresAt) },
      ]}
    />
  );
}

const TaskActs = ({ task }: Pick<Inspected, 'task'>) => (
  <Group gap="xs">
    {task.completedAt === undefined && <ActButton act="failTask" label="Fail the task" given={{ task: task.id }} />}
    {task.completedAt !== undefined && task.webhook && (
      <ActButton act="redeliverWebhook" label="Send the webhook again" given={{ task: task.id }} />
    )}
  </Group>
);

const Jobs = ({ jobs }: Pick<Inspected, 'jobs'>) => (
  <RecordTable
    title="Engine jobs"
    rows={jobs}
    keyOf={({ name }) => name}
    columns={[
      { label: 'Job', cell: ({ name }) => name },
      { label: 'Engine', cell: ({ engine }) => engine ?? '–' },
      { label: 'Reference', cell: ({ reference }) => reference ?? '–' },
      { label: 'Outcome', cell: ({ outcome }) => outcome ?? 'open' },
      { label: 'Cost', isNumber: true, cell: ({ costMicros }) => dollars(costMicros) },
    ]}
  />
);

type Event = Inspected['events'][number];

/** The operator who failed a task; undefined if nobody did, or not lately. */
function useOperator({ events, task: { accountId, id } }: Pick<Inspected, 'events' | 'task'>): string | undefined {
  const enabled = events.some(({ actor }) => actor === 'operator');
  const request = { query: { account: accountId, limit: 100 } };
  const { data } = useApi(operateActContracts.listActs, request, { enabled, staleTime: 60_000 });
  return data?.acts.find(
    ({ act, state, subject }) => act === 'failTask' && state !== 'failed' && subject === `task ${id}`,
  )?.operator;
}

/** Who caused an event; which token canceled a task is unknown if an earlier release did so. */
function causeOf({ actor, type }: Event, { canceledBy, tokenId }: Inspected['task'], nameOf: NameOf): string {
  if (type === 'created') return requesterOf(tokenId, nameOf);
  if (actor !== 'api') return actor;
  return canceledBy === null ? 'its account' : requesterOf(canceledBy, nameOf);
}

function aboutEvent(event: Event, attempt: number): string {
  const { credits, message, statusCode, type } = event;
  if (type === 'webhook_attempted') return attemptText(attempt, { error: message, statusCode });
  return [message, credits === undefined ? undefined : credits === 1 ? '1 credit' : `${credits} credits`]
    .filter((part) => part !== undefined)
    .join(', ');
}

function Events({ events, task }: Pick<Inspected, 'events' | 'task'>) {
  const { format } = useLanguage();
  const { nameOf } = useOwner(task);
  const operator = useOperator({ events, task });
  const attempts = events.filter(({ type }) => type === 'webhook_attempted');
  return (
    <RecordTable
      title="Events"
      rows={events.map((event, position) => ({
        ...event,
        position,
        about: aboutEvent(event, attempts.indexOf(event) + 1),
      }))}
      keyOf={({ position }) => String(position)}
      columns={[
        { label: 'Time', cell: ({ at }) => format.exact(at) },
        { label: 'Event', cell: ({ type }) => type },
        {
          label: 'By',
          cell: (event) =>
            `${causeOf(event, task, nameOf)}${event.actor === 'operator' && operator ? ` ${operator}` : ''}`,
        },
        { label: 'About', cell: ({ about }) => about },
      ]}
    />
  );
}

export function TaskPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId' });
  const query = useApi(operateTaskContracts.inspectTask, { params: { taskId } });
  return (
    <Page
      title={query.data ? `Task: ${query.data.task.taskType}` : 'Task'}
      {...(query.data && { action: <TaskActs task={query.data.task} /> })}
    >
      <Loaded query={query} rows={8} missing={<Empty icon="tasks" title="There is no such task." />}>
        {({ events, jobs, task }) => (
          <>
            <TaskFacts task={task} />
            <Results task={task} />
            <Jobs jobs={jobs} />
            <Events task={task} events={events} />
            <Section title="Input">
              <Code block tabIndex={0}>
                {JSON.stringify(task.input, null, 2)}
              </Code>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
