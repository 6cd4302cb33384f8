/** A table that scrolls horizontally; on phones, rows with many columns become two lines. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly label: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** The name of a table without links or buttons, which can then be scrolled with the keyboard. */
  readonly label?: string;
}

const classOf = ({ isNumber = false }: { readonly isNumber?: boolean }) => (isNumber ? { className: 'number' } : {});

export const DataTable = <Row,>({ rows, keyOf, columns, label }: DataTableProps<Row>) => (
  <div className="table-scroll" {...(label !== undefined && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
    <Table className="data-table" data-folds={columns.length > 3}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.label} {...classOf(column)}>
              {column.label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map((column) => (
              <Table.Td key={column.label} {...classOf(column)}>
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
