/**
 * The keys of what operators do.
 *
 * | Entity          | pk                                            | sk                | who reads it                            |
 * |-----------------|-----------------------------------------------|-------------------|-----------------------------------------|
 * | Act             | ACTS, ACTS#account/accountId, ACTS#catalog/row | actId, actId#END | the log of acts, history of the catalog |
 * | Act key         | ACT-KEY#operatorId#sha256                     | ACT-KEY           | acts that are sent again                |
 * | Granted credits | GRANTED#accountId#operatorId, GRANTED#ALL#operatorId | 2026-11-21 | grants: what one operator gave on a day |
 * | Grant request   | GRANTS                                        | requestId         | grants that a second operator decides   |
 *
 * An act is in the list of all acts and, if it is about an account or a row of the catalog, in the list of that one.
 */
import { createHash } from 'node:crypto';
import type { Key } from '../platform/dynamo-table.ts';
import type { CatalogRowName } from './catalog/catalog-row.ts';

/** An account or a row of the catalog, which has a list of the acts about it. */
export type ActSubject = `account/${string}` | `catalog/${CatalogRowName}`;

const allActs = 'ACTS';

/** The list of all acts, or of those about a subject. */
export const actList = (subject?: ActSubject): string => (subject === undefined ? allActs : `${allActs}#${subject}`);

/** A pattern for the partitions of all lists of acts, for permissions. */
export const actPartitions = `${allActs}*`;

export const actKey = (actId: string, subject?: ActSubject) => ({ pk: actList(subject), sk: actId }) satisfies Key;

const ending = '#END';

/**
 * The key of the entry that says how an act ended, for an act that was recorded before it began. It sorts right after
 * the act.
 */
export const actEndKey = (actId: string, subject?: ActSubject) =>
  ({ pk: actList(subject), sk: `${actId}${ending}` }) satisfies Key;

export const isActEnd = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).endsWith(ending);
export const actIdOf = ({ sk }: { readonly sk?: unknown }): string => String(sk).replace(ending, '');

/** A pattern for the partitions of all keys of acts, for permissions. */
export const actKeyPartitions = 'ACT-KEY#*#*';

export const actKeyKey = (operatorId: string, key: string) =>
  ({
    pk: `ACT-KEY#${operatorId}#${createHash('sha256').update(key).digest('base64url')}`,
    sk: 'ACT-KEY',
  }) as const satisfies Key;

/** Stands for all accounts together in the key of granted credits. */
export const allAccounts = 'ALL';

export const grantedKey = (accountId: string, operatorId: string, day: string) =>
  ({ pk: `GRANTED#${accountId}#${operatorId}`, sk: day }) as const satisfies Key;

export const grantsPartition = 'GRANTS' as const;

export const grantRequestKey = (requestId: string) => ({ pk: grantsPartition, sk: requestId }) as const satisfies Key;
