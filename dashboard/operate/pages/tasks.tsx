/** Tasks of an account, or the open tasks of all accounts. */
import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { operateTaskContracts } from '../../../shared/contracts/operate-tasks.ts';
import { taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { taskColumns } from '../task-columns.tsx';

const any = { value: '', label: 'any' };

function Filters() {
  const navigate = useNavigate();
  const given = useSearch({ from: '/tasks' });
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
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

export function Tasks() {
  const { format } = useLanguage();
  const given = useSearch({ from: '/tasks' });
  const paging = usePaging(50);
  const query = useApi(operateTaskContracts.listOperatedTasks, { query: { ...given, ...paging.query } });
  const title = given.account ? 'Tasks of the account' : 'Open tasks of all accounts';
  return (
    <Page
      title="Tasks"
      lead="Without an account, the open tasks that are checked next, at most 80. Filters by engine, error and age apply to the page that was read."
    >
      <Filters />
      <Section title={title}>
        <Loaded query={query} rows={6}>
          {({ tasks }) => (
            <>
              {tasks.length === 0 ? (
                <Text size="sm">There are no such tasks.</Text>
              ) : (
                <DataTable rows={tasks} keyOf={({ id }) => id} columns={taskColumns(format)} />
              )}
              <Pager paging={paging} count={tasks.length} of={title} />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
