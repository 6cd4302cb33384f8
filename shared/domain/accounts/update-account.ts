/** Builds the write that changes an account from the clauses of several independent changes. */
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';

export interface Clauses {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  /** Removes elements from sets. */
  readonly drop?: readonly string[];
  /** Conditions, all of which must hold. */
  readonly when?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
  /** Placeholders of attributes whose names are reserved words. */
  readonly names?: Readonly<Record<string, string>>;
}

export function updateAccount(accountId: string, clauses: readonly Clauses[]): Action {
  const lists = {
    SET: clauses.flatMap(({ set = [] }) => set),
    REMOVE: clauses.flatMap(({ remove = [] }) => remove),
    DELETE: clauses.flatMap(({ drop = [] }) => drop),
  };
  const parts = Object.entries(lists).filter(([, list]) => list.length > 0);
  const names = Object.assign({}, ...clauses.map((one) => one.names ?? {}));
  const values = Object.assign({}, ...clauses.map((one) => one.values ?? {}));
  return {
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: parts.map(([verb, list]) => `${verb} ${list.join(', ')}`).join(' '),
      ConditionExpression: ['attribute_exists(pk)', ...clauses.flatMap(({ when = [] }) => when)].join(' AND '),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
