/** All stores on one table, for processes that host every function, and the types of stores that other modules need. */
import type { Clock } from '../platform/clock.ts';
import type { Table } from '../platform/dynamo-table.ts';
import type { Settings } from '../platform/settings.ts';
import { type AccountPostings, accountPostings } from './accounts/account-postings.ts';
import * as ports from './store-ports.ts';

export type Stores = { readonly [Name in keyof typeof ports]: ReturnType<(typeof ports)[Name]> } & {
  readonly table: Table;
};

/** The stores, and writes to accounts that no function makes: only processes that host all functions have them. */
export type HostedStores = Stores & { readonly accounts: AccountPostings };

export function stores(
  table: Table,
  clock: Clock,
  settings: Pick<Settings, 'engines'> = { engines: 'offline' },
): HostedStores {
  const source = { table, clock, settings };
  const made = Object.entries(ports).map(([name, make]) => [name, make(source)] as const);
  const accounts = { ...ports.accounts(source), ...accountPostings(table) };
  return { ...Object.fromEntries(made), accounts, table } as unknown as HostedStores;
}
