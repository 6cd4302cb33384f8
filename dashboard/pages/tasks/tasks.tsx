/** Everything that the account has generated, newest first. */
import { Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { tokenModes } from '../../../shared/contracts/token-modes.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { FirstRequest } from '../overview/first-request.tsx';
import { TaskCard } from './task-card.tsx';
import { pollMs } from './task-media.ts';
import { modeIn } from './task-mode.ts';
import './tasks.css';

const route = getRouteApi('/tasks');

/** How many tasks a page of the list shows. */
const pageSize = 24;

function ReferenceFilter() {
  const { text } = useLanguage();
  const { reference = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(reference);
  useEffect(() => setTyped(reference), [reference]);
  const apply = () => {
    if (typed === reference) return;
    void navigate({
      search: (kept) => ({ ...kept, after: undefined, reference: typed === '' ? undefined : typed }),
    });
  };
  return (
    <TextInput
      label={text.tasks.reference}
      placeholder={text.tasks.referenceHint}
      maxLength={128}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

function Filters() {
  const { text } = useLanguage();
  const { status = '', taskType = '', mode = 'live' } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (name: 'status' | 'taskType' | 'mode', value: string) =>
    void navigate({ search: (kept) => ({ ...kept, after: undefined, [name]: value === '' ? undefined : value }) });
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" maw={720}>
      <NativeSelect
        label={text.common.status}
        value={status}
        onChange={({ currentTarget }) => choose('status', currentTarget.value)}
        data={[
          { value: '', label: text.tasks.allStatuses },
          ...taskStatuses.map((value) => ({ value, label: text.taskStatuses[value] })),
        ]}
      />
      <NativeSelect
        label={text.tasks.type}
        value={taskType}
        onChange={({ currentTarget }) => choose('taskType', currentTarget.value)}
        data={[
          { value: '', label: text.tasks.allTypes },
          ...taskTypes.map((value) => ({ value, label: text.taskTypes[value] })),
        ]}
      />
      <NativeSelect
        label={text.tokens.mode}
        value={mode}
        onChange={({ currentTarget: { value } }) => choose('mode', value === 'live' ? '' : value)}
        data={tokenModes.map((value) => ({ value, label: text.tokens.modes[value] }))}
      />
      <ReferenceFilter />
    </SimpleGrid>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const { text } = useLanguage();
  if (!isFiltered) return <FirstRequest />;
  return (
    <Empty icon="tasks" title={text.tasks.none} hint={text.tasks.noneHint}>
      <LinkButton to="/tasks" search={{}} variant="default">
        {text.tasks.clear}
      </LinkButton>
    </Empty>
  );
}

function TaskList({ tasks }: Data<typeof tasksContracts.listTasks>) {
  const { text } = useLanguage();
  const { after, ...filters } = route.useSearch();
  const isFiltered = Object.keys(filters).length > 0 || after !== undefined;
  const last = tasks.length === pageSize ? tasks.at(-1) : undefined;
  if (tasks.length === 0) return <Nothing isFiltered={isFiltered} />;
  return (
    <>
      <div className="task-list">
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} />
        ))}
      </div>
      <Group justify="space-between">
        {after === undefined ? (
          <span />
        ) : (
          <LinkButton to="/tasks" search={filters} variant="default">
            {text.common.newest}
          </LinkButton>
        )}
        {last && (
          <LinkButton to="/tasks" search={{ ...filters, after: last.id }} variant="default">
            {text.common.older}
          </LinkButton>
        )}
      </Group>
    </>
  );
}

export function Tasks() {
  const { text } = useLanguage();
  const { reference, mode: _mode, ...search } = route.useSearch();
  const mode = modeIn(route.useSearch());
  const query = useApi(
    tasksContracts.listTasks,
    { query: { limit: pageSize, clientReference: reference, ...search }, mode },
    { refetchInterval: pollMs, placeholderData: (previous) => previous },
  );
  return (
    <Page title={text.tasks.title}>
      <Filters />
      <Loaded query={query} rows={6}>
        {(data) => <TaskList {...data} />}
      </Loaded>
    </Page>
  );
}
