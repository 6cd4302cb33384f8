/** A section with a table of records, or a note that there are none. */
import { Text } from '@mantine/core';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';

interface RecordTableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

export const RecordTable = <Row,>({ title, rows, keyOf, columns }: RecordTableProps<Row>) => (
  <Section title={title}>
    {rows.length === 0 ? (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    ) : (
      <DataTable rows={rows} keyOf={keyOf} columns={columns} label={title} />
    )}
  </Section>
);
