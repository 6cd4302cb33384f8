/** A task with its engine jobs and its events. */
import { Anchor, Code, Group } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { operateTaskContracts } from '../../../shared/contracts/operate-tasks.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { dollars } from '../money.ts';
import { RecordTable } from '../record-table.tsx';

type Inspected = Data<typeof operateTaskContracts.inspectTask>;

function TaskFacts({ task }: Pick<Inspected, 'task'>) {
  const { format } = useLanguage();
  return (
    <Section title="Task">
      <Facts
        facts={[
          ['Id', task.id],
          ['State', <Status key="state" status={task.status} label={task.error?.code ?? task.status} />],
          ['Why it failed', task.error?.message ?? '–'],
          [
            'Account',
            <Anchor component="span" key="account">
              <Link to="/customers/$accountId" params={{ accountId: task.accountId.replace(/^test-/, '') }}>
                {task.accountId}
              </Link>
            </Anchor>,
          ],
          ['Token', task.tokenId ?? 'none: its owner created it'],
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

export function TaskPage() {
  const { format } = useLanguage();
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
            <Jobs jobs={jobs} />
            <RecordTable
              title="Events"
              rows={events.map((event, position) => ({ ...event, position }))}
              keyOf={({ position }) => String(position)}
              columns={[
                { label: 'Time', cell: ({ at }) => format.exact(at) },
                { label: 'Event', cell: ({ type }) => type },
                { label: 'By', cell: ({ actor }) => actor },
                {
                  label: 'About',
                  cell: ({ credits, message, statusCode }) =>
                    [message, statusCode, credits === undefined ? undefined : `${credits} credits`]
                      .filter((part) => part !== undefined)
                      .join(', '),
                },
              ]}
            />
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
