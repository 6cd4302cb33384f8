/**
 * The keys by which operators find things: part of the schema of the single table, see `keys.ts`.
 *
 * | Found      | index byHandle                         | index byAlias                       |
 * |------------|----------------------------------------|-------------------------------------|
 * | Account    | e-mail address                         | NAMES#a, its name                   |
 * | Token      | last 8 characters                      | last 4 characters, all 8 backwards  |
 * | Task       | client reference                       | request that created it             |
 * | Order      | payment created with it                | payment that paid it, if another    |
 * | Subscription, invoice | id at the gateway           |                                     |
 * | Case       | payment                                |                                     |
 * | Connection | username                               | NAMES#l, name of the page           |
 *
 * An item has one entry in an index, hence two indexes. Both are sparse. A handle is a digest, so that no text makes a row
 * or an entry large. A token's handles are in a row of its own, because the token's must stay below a kilobyte.
 */
import { createHash } from 'node:crypto';
import type { Item, Key } from '../platform/dynamo-table.ts';
import { indexes } from './index-keys.ts';

type HandleIndex = 'byHandle' | 'byAlias';

/**
 * A text in the form in which handles are compared: without case, accents, repeated spaces and the @ of a username. A
 * handle is anything that operators search by, such as an email address.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^@/, '');

/**
 * The partition of a handle. Sixteen bytes of the digest are enough, because the handle is compared again when the
 * found row is read.
 */
export const handlePartition = (text: string): string =>
  `HANDLE#${createHash('sha256').update(folded(text)).digest().subarray(0, 16).toString('base64url')}`;

/**
 * Sort keys of other rows come before those of tasks in a result, so that many tasks with the same reference cannot
 * hide them.
 */
const beforeTasks = '1';

const entry = (index: HandleIndex, pk: string, sk: string): Item => ({
  [indexes[index].pk]: pk,
  [indexes[index].sk]: sk,
});

/** The attributes by which a row is found by a handle. */
export const findableBy = (index: HandleIndex, text: string): Item =>
  folded(text) === '' ? {} : entry(index, handlePartition(text), beforeTasks);

/** The attributes by which a task is found; of many tasks with one reference, the newest are found first. */
export const findableTaskBy = (index: HandleIndex, text: string, taskId: string): Item =>
  entry(index, handlePartition(text), `0${taskId}`);

/** How many of a text's last characters determine the partition. */
const partitionCharacters = 4;

/**
 * The partition of all texts with the same ending, and the beginning of their sort keys, which are the texts backwards.
 */
export const endingLike = (text: string): { readonly pk: string; readonly beginning: string } => ({
  pk: handlePartition(text.slice(-partitionCharacters)),
  beginning: `${beforeTasks}${Array.from(text).toReversed().join('')}`,
});

/** The attributes by which a row is found by the last characters of a text. */
export function findableByEnding(text: string): Item {
  const { pk, beginning } = endingLike(text);
  return entry('byAlias', pk, beginning);
}

/** How many characters of a name are compared. */
const nameCharacters = 100;

const shortened = (text: string): string => Array.from(folded(text)).slice(0, nameCharacters).join('');

const namesPartition = (name: string): string => `NAMES#${Array.from(name)[0] ?? ''}`;

/** The attributes by which a row is found by the beginning of a name. */
export function findableByName(text: string): Item {
  const name = shortened(text);
  return name === '' ? {} : entry('byAlias', namesPartition(name), name);
}

/** The partition of the names that begin with a text, and the beginning of their sort keys. */
export function namesLike(text: string): { readonly pk: string; readonly beginning: string } {
  const beginning = shortened(text);
  return { pk: namesPartition(beginning), beginning };
}

/** The names of all attributes by which operators find rows. */
export const handleAttributes = [indexes.byHandle, indexes.byAlias].flatMap(({ pk, sk }): string[] => [pk, sk]);

/** The key of the row that leads from a token's id to the token, whose own key does not contain the id. */
export const tokenHandleKey = (tokenId: string) =>
  ({ pk: `TOKEN-ID#${tokenId}`, sk: 'TOKEN-ID' }) as const satisfies Key;

const kinds = {
  ACCOUNT: 'account',
  CASES: 'case',
  CONNECTIONS: 'connection',
  ORDER: 'order',
  PAGE: 'page',
  SUBSCRIPTION: 'invoice',
  SUBSCRIPTIONS: 'subscription',
  TASK: 'task',
  TOKEN: 'token',
  'TOKEN-ID': 'tokenHandle',
} as const;
export type FindableKind = (typeof kinds)[keyof typeof kinds];

/** The sort keys of rows that share their partition with rows of other kinds. */
const own: Readonly<Partial<Record<FindableKind, RegExp>>> = { task: /^TASK$/, page: /^PAGE$/, invoice: /^INVOICE#/ };

/** The kind of a row that operators can find; undefined for all other rows. */
export function findableKindOf({ pk, sk }: Item): FindableKind | undefined {
  const [entity = ''] = String(pk).split('#');
  const kind = Object.hasOwn(kinds, entity) ? kinds[entity as keyof typeof kinds] : undefined;
  return kind && (own[kind] ?? /^/).test(String(sk)) ? kind : undefined;
}

/** The subscription of an invoice. */
export const subscriptionIdOf = ({ pk }: Item): string => String(pk).slice('SUBSCRIPTION#'.length);

/** The channel of a page. */
export const channelOf = ({ pk }: Item): string => String(pk).split('#')[1] ?? '';

export const tokenIdOf = ({ pk }: Item): string => String(pk).slice('TOKEN-ID#'.length);
