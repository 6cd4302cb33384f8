/** Tasks of an account, or open or failed tasks of all accounts. */
import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { operateTaskContracts, type Stuck, stuckKinds } from '../../../shared/contracts/operate-tasks.ts';
import { taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { AccountLink } from '../account-link.tsx';
import { taskColumns } from '../task-columns.tsx';

const useGiven = () => useSearch({ from: '/tasks' });

const stuckLabels = { deadline: 'past its deadline', webhook: 'failed webhook' } as const satisfies Record<
  Stuck,
  string
>;

const any = { value: '', label: 'any' };

function Filters() {
  const navigate = useNavigate();
  const given = useGiven();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    );
    void navigate({ to: '/tasks', search: Object.fromEntries(fields) as typeof given });
  };
  return (
    <form onSubmit={submit} key={JSON.stringify(given)}>
      <Group align="flex-end" gap="sm">
        <TextInput label="Account id" name="account" defaultValue={given.account ?? ''} />
        <NativeSelect label="State" name="status" data={[any, ...taskStatuses]} defaultValue={given.status ?? ''} />
        <NativeSelect label="Type" name="type" data={[any, ...taskTypes]} defaultValue={given.type ?? ''} />
        <TextInput label="Engine" name="engine" defaultValue={given.engine ?? ''} w={110} />
        <TextInput label="Error code" name="error" defaultValue={given.error ?? ''} w={150} />
        <TextInput label="At least minutes old" name="minutes" defaultValue={given.minutes ?? ''} w={150} />
        <NativeSelect
          label="Stuck"
          name="stuck"
          data={[any, ...stuckKinds.map((value) => ({ value, label: stuckLabels[value] }))]}
          defaultValue={given.stuck ?? ''}
        />
        <TextInput label="Failed on (UTC)" name="day" type="date" defaultValue={given.day ?? ''} />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

/** Leads to older failed tasks, whose list has no numbered places. */
function FailedPager({ next }: { readonly next: string | null }) {
  const given = useGiven();
  const navigate = useNavigate();
  const go = (before: string | undefined) => {
    const { before: _left, ...filters } = given;
    void navigate({ to: '/tasks', search: before === undefined ? filters : { ...filters, before } });
  };
  if (next === null && given.before === undefined) return null;
  return (
    <Group justify="space-between" component="nav" aria-label="Pages of failed tasks">
      <Button size="xs" variant="default" disabled={given.before === undefined} onClick={() => go(undefined)}>
        Newest
      </Button>
      <Button size="xs" variant="default" disabled={next === null} onClick={() => next !== null && go(next)}>
        Older
      </Button>
    </Group>
  );
}

const stuckTitles: Readonly<Record<string, string>> = {
  deadline: 'Open tasks past their deadline',
  webhook: 'Tasks whose webhook failed today or yesterday (UTC)',
};

function titleOf({ account, day, error, status, stuck }: ReturnType<typeof useGiven>): string {
  if (stuck !== undefined) return stuckTitles[stuck] ?? 'Stuck tasks';
  if (account !== undefined) return 'Tasks of the account';
  const isFailed = status === 'failed' || (status === undefined && (error ?? day) !== undefined);
  return isFailed ? `Failed tasks of all accounts, ${day ?? 'today'}` : 'Open tasks of all accounts';
}

export function Tasks() {
  const { format } = useLanguage();
  const given = useGiven();
  const paging = usePaging(50);
  const query = useApi(operateTaskContracts.listOperatedTasks, { query: { ...given, ...paging.query } });
  const title = titleOf(given);
  const isFailed = title.startsWith('Failed');
  return (
    <Page
      title="Tasks"
      lead="Without an account, the open tasks that are checked next, at most 80; with the state failed, an error or a day, the failed tasks of that day; or those that are stuck, whatever the day. Filters by engine, error and age apply to the page that was read, and for all accounts those by type do, too."
    >
      <Filters />
      <Section title={title}>
        <Loaded query={query} rows={6}>
          {({ next, tasks }) => (
            <>
              {tasks.length === 0 ? (
                <Text size="sm">There are no such tasks.</Text>
              ) : (
                <DataTable
                  rows={tasks}
                  keyOf={({ id }) => id}
                  columns={[
                    ...taskColumns(format),
                    {
                      label: 'Account',
                      cell: ({ accountId, email }) => <AccountLink accountId={accountId} email={email} />,
                    },
                  ]}
                />
              )}
              {isFailed ? <FailedPager next={next} /> : <Pager paging={paging} count={tasks.length} of={title} />}
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
