/** Shows what an act changes: each value before and after. */
import { Text } from '@mantine/core';
import { DataTable } from '../../parts/data-table.tsx';

type Facts = Readonly<Record<string, unknown>> | null;

interface ActChangesProps {
  readonly before: Facts;
  readonly after: Facts;
}

const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a value by path, so that a change of one member of a large object is shown on its own. */
const flat = (facts: Readonly<Record<string, unknown>>, path = ''): [string, unknown][] =>
  Object.entries(facts).flatMap(([name, value]) =>
    isObject(value) && Object.keys(value).length > 0
      ? flat(value, `${path}${name}.`)
      : [[`${path}${name}`, value] satisfies [string, unknown]],
  );

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What an act changes: before and after, or only before while the result of the act is unknown. */
export function ActChanges({ after, before }: ActChangesProps) {
  const [old, fresh] = [new Map(flat(before ?? {})), new Map(flat(after ?? {}))];
  const rows: Row[] = [...new Set([...old.keys(), ...fresh.keys()])]
    .map((name) => ({ name, before: shown(old.get(name)), after: shown(fresh.get(name)) }))
    .filter((row) => row.before !== row.after);
  if (rows.length === 0) return <Text size="sm">No changes are known in advance.</Text>;
  return (
    <DataTable
      label="What changes"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { label: 'What', cell: ({ name }) => name },
        { label: 'Before', cell: (row) => <span className="fact">{row.before}</span> },
        ...(after === null ? [] : [{ label: 'After', cell: (row: Row) => <span className="fact">{row.after}</span> }]),
      ]}
    />
  );
}
