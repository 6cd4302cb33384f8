/** A section that shows a list of the account as a table, page by page. */
import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Column, DataTable } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { Pager, type Paging } from './pager.tsx';
import { Section } from './section.tsx';

interface PagedTableProps<Data, Row extends { readonly id: string }> {
  readonly title: string;
  /** Shown while the list has no entries. */
  readonly empty: string;
  readonly query: UseQueryResult<Data>;
  readonly paging: Paging;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly columns: readonly Column<Row>[];
}

export function PagedTable<Data, Row extends { readonly id: string }>(props: PagedTableProps<Data, Row>) {
  const { title, empty, query, paging, rowsOf, columns } = props;
  return (
    <Section title={title}>
      <Loaded query={query}>
        {(data) => {
          const rows = rowsOf(data);
          return (
            <>
              {rows.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {empty}
                </Text>
              ) : (
                <DataTable rows={rows} keyOf={({ id }) => id} columns={columns} />
              )}
              <Pager paging={paging} count={rows.length} of={title} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
