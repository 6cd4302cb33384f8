/** The figures of today by operation, engine or account, with links to the failed tasks. */
import { useQuery } from '@tanstack/react-query';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';
import { useLanguage } from '../../language/language.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { AccountLink } from '../account-link.tsx';
import { dollars, percent } from '../money.ts';
import { RecordTable } from '../record-table.tsx';
import { canceledOf, type DayFigures, failuresOf } from './figure-days.ts';
import { figuresQuery, today } from './use-figure-days.ts';

type By = DayFigures['by'];
type Row = DayFigures['rows'][number];

/** The filters of the page Tasks that a row is about. */
function filtersOf(by: By, name: string): Readonly<Record<string, string>> {
  if (by === 'account') return { account: name };
  if (by === 'engine') return { engine: name };
  const type = taskTypes.find((one) => generationOf(one).operationId === name);
  return type === undefined ? {} : { type };
}

function Failures({ by, row }: { readonly by: By; readonly row: Row }) {
  const { format } = useLanguage();
  const failures = Object.entries(failuresOf(row));
  if (failures.length === 0) return '–';
  return failures.map(([error, count], index) => (
    <span key={error}>
      {index > 0 && ', '}
      <TextLink inherit to="/tasks" search={{ ...filtersOf(by, row.name), status: 'failed', error }}>
        {`${error} ${format.number(count)}`}
      </TextLink>
    </span>
  ));
}

export function Today({ by }: { readonly by: By }) {
  const { format } = useLanguage();
  const query = useQuery(figuresQuery(today(), by));
  return (
    <Loaded query={query}>
      {({ rows }) => (
        <RecordTable
          title={`Today by ${by}`}
          rows={rows.slice(0, 20)}
          keyOf={({ name }) => name}
          columns={[
            {
              label: by,
              cell: ({ email, name }) => (by === 'account' ? <AccountLink accountId={name} email={email} /> : name),
            },
            { label: 'Tasks', isNumber: true, cell: ({ tasks }) => format.number(tasks) },
            { label: 'Failed', cell: (row) => <Failures by={by} row={row} /> },
            { label: 'Canceled', isNumber: true, cell: (row) => format.number(canceledOf(row)) },
            { label: 'Credits', isNumber: true, cell: ({ credits }) => format.number(credits) },
            { label: 'Worth', isNumber: true, cell: ({ worthMicros }) => dollars(worthMicros) },
            { label: 'Engine cost', isNumber: true, cell: ({ costMicros }) => dollars(costMicros) },
            {
              label: 'Margin',
              isNumber: true,
              cell: ({ marginMicros, worthMicros }) =>
                `${dollars(marginMicros)} (${percent(marginMicros, worthMicros)})`,
            },
          ]}
        />
      )}
    </Loaded>
  );
}
