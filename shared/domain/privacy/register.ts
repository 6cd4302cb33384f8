/**
 * The register of personal data: every kind of data that the service stores, where it is stored, why, on which legal
 * ground, for how long, and what the export and the erasure of an account do with it. A test fails if the service
 * stores a field that the register lacks.
 */
import type { Item } from '../../platform/dynamo-table.ts';
import { indexes } from '../index-keys.ts';
import { catalogKey, circuitKey, primaryKey, reconciliationKey } from '../keys.ts';
import { accountRows } from './account-rows.ts';
import { billingRows } from './billing-rows.ts';
import { contentRows } from './content-rows.ts';
import { type DataKind, facts, type RowKind, wholePartition } from './data-kind.ts';
import { operatorRows } from './operator-rows.ts';

/** Rows of the service itself, which are about no account. */
const ownRow = {
  ground: 'legitimate interest',
  why: 'to operate the service',
  kept: 'without limit',
  erasure: 'none',
  fields: facts('*'),
} as const;

const ownRows = {
  catalog: { ...ownRow, ...wholePartition(catalogKey('plans')), what: 'Plans, prices and routes' },
  circuit: {
    ...ownRow,
    ...wholePartition(circuitKey('')),
    what: 'State of an engine, with ids of accounts whose tasks failed',
  },
  reconciliation: { ...ownRow, ...wholePartition(reconciliationKey('')), what: 'How far payments were reconciled' },
} as const satisfies Readonly<Record<string, RowKind>>;

export const rowKinds = { ...accountRows, ...billingRows, ...contentRows, ...operatorRows, ...ownRows };
export type RowKindName = keyof typeof rowKinds;

/** Data outside the table. */
export interface Place extends DataKind {
  readonly where: string;
}

export const places: readonly Place[] = [
  {
    where: 'bucket of inputs, `inputs/<task>/`',
    what: 'Copies of the inputs of tasks, transcripts and clips',
    why: 'to generate what was asked for',
    ground: 'contract',
    kept: 'a day',
    erasure: 'erased',
  },
  {
    where: 'bucket of inputs, `uploads/<file>`',
    what: 'Uploaded files',
    why: 'to use them in requests',
    ground: 'contract',
    kept: '7 days, or fewer if the account wants that',
    erasure: 'erased',
  },
  {
    where: 'bucket of inputs, `exports/<account>/`',
    what: 'Archive of everything about an account, for its owner to download',
    why: 'to give the owner their data',
    ground: 'legal obligation',
    kept: 'a day',
    erasure: 'erased',
  },
  {
    where: 'bucket of results, `results/<task>-<secret>/`',
    what: 'Results and posters',
    why: 'to deliver them',
    ground: 'contract',
    kept: '`resultsRetentionDays` of the stage, 90 by default, or fewer days if the account wants that',
    erasure: 'erased',
  },
  {
    where: 'bucket of results, `files/`',
    what: 'Uploaded images that a product or an avatar uses',
    why: 'to show them in videos',
    ground: 'contract',
    kept: 'until the account is closed',
    erasure: 'erased',
  },
  {
    where: 'queue of webhooks',
    what: 'Ids of tasks, and the URL of the receiver',
    why: 'to notify the account',
    ground: 'contract',
    kept: 'at most 4 days; 14 days in the dead-letter queue',
    erasure: 'expires',
  },
  {
    where: 'queue of the inbox',
    what: 'Events of social networks that could not be applied at once, with their texts',
    why: 'to show them in the inbox',
    ground: 'contract',
    kept: 'at most 4 days; 14 days in the dead-letter queue',
    erasure: 'expires',
  },
  {
    where: 'queue of payment events',
    what: 'Ids of payments',
    why: 'to account for payments',
    ground: 'legal obligation',
    kept: 'at most 4 days; 14 days in the dead-letter queue',
    erasure: 'expires',
  },
  {
    where: 'execution histories of Step Functions',
    what: 'Ids of tasks, and addresses of results at engines',
    why: 'to find the cause of errors',
    ground: 'legitimate interest',
    kept: '90 days',
    erasure: 'expires',
  },
  {
    where: 'logs',
    what: 'Ids of accounts, tokens and tasks; never a text, a name or an address',
    why: 'to operate the service securely',
    ground: 'legitimate interest',
    kept: '`logRetentionDays` of the stage, 14 by default',
    erasure: 'expires',
  },
  {
    where: 'traces of AWS X-Ray',
    what: 'One in twenty calls by back ends: the IP address, and the URL with its query, such as a client reference',
    why: 'to find the cause of slow requests',
    ground: 'legitimate interest',
    kept: '30 days; never with `"traces": "off"`',
    erasure: 'expires',
  },
  {
    where: 'backups of the table',
    what: 'All rows',
    why: 'to recover from a loss of data',
    ground: 'legitimate interest',
    kept: '35 days in production',
    erasure: 'expires',
  },
  {
    where: 'user pool (Cognito)',
    what: 'E-mail address, name and password of people who log in',
    why: 'to authenticate the owner',
    ground: 'contract',
    kept: 'until the account is closed',
    erasure: 'erased',
  },
  {
    where: 'bucket of inputs, `erased-accounts/`',
    what: 'Ids of erased accounts',
    why: 'to erase them again after a restore of the table',
    ground: 'legal obligation',
    kept: 'without limit',
    erasure: 'kept',
  },
  {
    where: 'engines',
    what: 'Texts and files of tasks',
    why: 'to generate what was asked for',
    ground: 'contract',
    kept: 'as long as the engine states, see [engines](engines.md)',
    erasure: 'expires',
  },
  {
    where: 'payment gateways',
    what: 'Name, tax id and e-mail address of payers',
    why: 'to receive payments',
    ground: 'legal obligation',
    kept: 'as long as the gateway states',
    erasure: 'kept',
  },
  {
    where: 'social networks',
    what: 'Messages and comments themselves, of which the service has copies',
    why: 'they are the network’s own',
    ground: 'contract',
    kept: 'as long as the network states',
    erasure: 'none',
  },
];

const keyNames: ReadonlySet<string> = new Set(
  [primaryKey, ...Object.values(indexes)].flatMap(({ pk, sk }): string[] => [pk, sk]),
);

/** Whether a key begins like this; a beginning without `#` at its end must be the whole key. */
const startsAs = (beginning: string, key: unknown): boolean =>
  /^$|#$/.test(beginning) ? String(key).startsWith(beginning) : key === beginning;

/** The kind of a row; undefined if the register has no such kind. */
export function kindOfRow(row: Item): RowKindName | undefined {
  const names = Object.keys(rowKinds) as RowKindName[];
  return names.find(
    (name) => startsAs(rowKinds[name].pk, row[primaryKey.pk]) && startsAs(rowKinds[name].sk, row[primaryKey.sk]),
  );
}

/** The fields of a row that the register lacks; if it lacks the kind, the kind instead. */
export function unregisteredIn(row: Item): readonly string[] {
  const name = kindOfRow(row);
  if (name === undefined)
    return [`a row ${String(row[primaryKey.pk]).split('#')[0]} ${String(row[primaryKey.sk]).split('#')[0]}`];
  const { fields }: RowKind = rowKinds[name];
  if (fields['*'] !== undefined) return [];
  return Object.keys(row)
    .filter((field) => !keyNames.has(field) && !Object.hasOwn(fields, field))
    .map((field) => `${name}.${field}`);
}
