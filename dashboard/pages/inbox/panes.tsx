/** A list next to its selected entry; phones show one of them at a time. */
import { Paper, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager, type Paging } from '../../parts/pager.tsx';
import { NotConnected } from './not-connected.tsx';

interface PanesProps<Data, Row> {
  readonly title: string;
  readonly query: UseQueryResult<Data>;
  readonly paging: Paging;
  readonly rowsOf: (data: Data) => readonly Row[];
  /** A filter that is shown above the list. */
  readonly filter?: ReactNode;
  /** Shown while the list has no entries. */
  readonly empty: ReactNode;
  readonly row: (row: Row) => ReactNode;
  /** The text that is shown while nothing is selected. */
  readonly choose: string;
  readonly chosen: ReactNode;
}

export function Panes<Data, Row>(props: PanesProps<Data, Row>) {
  const { title, query, paging, rowsOf, filter, empty, row, choose, chosen } = props;
  // A 403 here means that no page is connected, because the inbox is only shown if the plan includes it.
  if (query.error instanceof ApiError && query.error.status === 403) return <NotConnected />;
  return (
    <div className="panes" data-open={chosen !== undefined}>
      <Paper component="section" aria-label={title} className="pane-list" p="sm">
        <Stack gap="sm">
          {filter}
          <Loaded query={query} rows={6}>
            {(data) => {
              const rows = rowsOf(data);
              return (
                <>
                  {rows.length === 0 ? empty : <ul>{rows.map(row)}</ul>}
                  <Pager paging={paging} count={rows.length} of={title} />
                </>
              );
            }}
          </Loaded>
        </Stack>
      </Paper>
      <Paper className="pane-chosen" p={{ base: 'sm', sm: 'md' }}>
        {chosen ?? <Empty icon="inbox" title={choose} />}
      </Paper>
    </div>
  );
}
