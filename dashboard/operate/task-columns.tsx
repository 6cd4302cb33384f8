/** The columns of tables of tasks. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { operateTaskContracts } from '../../shared/contracts/operate-tasks.ts';
import type { Data } from '../api/call.ts';
import type { Formats } from '../language/format.ts';
import type { Column } from '../parts/data-table.tsx';
import { Status } from '../parts/status.tsx';
import { dollars } from './money.ts';

type Task = Data<typeof operateTaskContracts.listOperatedTasks>['tasks'][number];

export const taskColumns = (format: Formats): readonly Column<Task>[] => [
  {
    label: 'Task',
    cell: ({ id, label, taskType }) => (
      <Anchor component="span">
        <Link to="/tasks/$taskId" params={{ taskId: id }}>
          {label ? `${taskType}: ${label}` : taskType}
        </Link>
      </Anchor>
    ),
  },
  { label: 'State', cell: ({ error, status }) => <Status status={status} label={error?.code ?? status} /> },
  { label: 'Engine', cell: ({ route }) => route },
  { label: 'Credits', isNumber: true, cell: ({ creditsUsed }) => format.number(creditsUsed) },
  { label: 'Engine cost', isNumber: true, cell: ({ engineCostMicros }) => dollars(engineCostMicros) },
  { label: 'May run until', cell: ({ deadlineAt }) => (deadlineAt === null ? '–' : format.exact(deadlineAt)) },
  { label: 'Created', cell: ({ createdAt }) => format.moment(createdAt) },
];
