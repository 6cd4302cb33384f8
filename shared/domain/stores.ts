/** All stores on one table, for processes that host every function, and the types of stores that other modules need. */
import type { Clock } from '../platform/clock.ts';
import type { Table } from '../platform/dynamo-table.ts';
import type { Settings } from '../platform/settings.ts';
import * as ports from './store-ports.ts';

export type Stores = { readonly [Name in keyof typeof ports]: ReturnType<(typeof ports)[Name]> } & {
  readonly table: Table;
};

export function stores(
  table: Table,
  clock: Clock,
  settings: Pick<Settings, 'engines'> = { engines: 'offline' },
): Stores {
  const source = { table, clock, settings };
  const made = Object.entries(ports).map(([name, make]) => [name, make(source)] as const);
  return { ...Object.fromEntries(made), table } as unknown as Stores;
}
