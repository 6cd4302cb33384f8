/** Stores cases that need an operator's decision. */
import * as z from 'zod';
import { once } from '../../../contracts/once.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import { findableBy } from '../../handle-keys.ts';
import { indexes, openCases } from '../../index-keys.ts';
import { caseKey, casesPartition } from '../../keys.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import { type BillingCase, caseIdsOf, caseKinds, endings } from './billing-case.ts';

export interface CaseStore {
  find(caseId: string): Promise<BillingCase | undefined>;
  /** All cases of an order, including resolved ones. */
  ofOrder(orderId: string): Promise<BillingCase[]>;
  /** All cases, or only open ones, oldest first. */
  list(filter: { readonly onlyOpen: boolean }): Promise<BillingCase[]>;
}

const CaseRow = once(() =>
  z.object({
    kind: z.enum(caseKinds),
    orderId: z.string(),
    accountId: z.exactOptional(z.string()),
    gateway: z.string(),
    paymentId: z.string(),
    cents: z.int(),
    currency: z.string(),
    missingCredits: z.exactOptional(z.int()),
    createdAt: z.int(),
    reportedAt: z.exactOptional(z.int()),
    endedAt: z.exactOptional(z.int()),
    resolvedAt: z.exactOptional(z.int()),
    resolution: z.exactOptional(z.string()),
  } satisfies Record<Exclude<keyof BillingCase, 'caseId'>, z.ZodType>),
);

export const toCase = (item: Item): BillingCase => ({ caseId: String(item.sk), ...parseRow('case', CaseRow(), item) });

export const caseHandles = ({ paymentId }: Pick<BillingCase, 'paymentId'>): Item => findableBy('byHandle', paymentId);

/** Records a case, unless it is already recorded. */
export const insertCase = ({ caseId, ...found }: BillingCase): Action => ({
  Put: {
    Item: {
      ...caseKey(caseId),
      ...found,
      ...caseHandles(found),
      [indexes.open.pk]: openCases,
      [indexes.open.sk]: caseId,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Resolves a case, which removes it from the list of open ones. */
export const resolving = (
  caseId: string,
  { resolution, resolvedAt, endedAt }: { resolution: string; resolvedAt: number; endedAt?: number },
) => ({
  Key: caseKey(caseId),
  UpdateExpression: `SET resolution = :resolution, resolvedAt = :at${endedAt === undefined ? '' : ', endedAt = :ended'} REMOVE #openPk, #openSk`,
  ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(resolvedAt)',
  ExpressionAttributeNames: { '#openPk': indexes.open.pk, '#openSk': indexes.open.sk },
  ExpressionAttributeValues: {
    ':resolution': resolution,
    ':at': resolvedAt,
    ...(endedAt !== undefined && { ':ended': endedAt }),
  },
});

/** Resolves a case that needs no decision any more, unless an operator has already resolved it. */
export const endCase = (
  { caseId, resolvedAt }: BillingCase,
  { resolution, at, endedAt }: { resolution: string; at: number; endedAt: number },
): Action => ({
  Update:
    resolvedAt === undefined
      ? resolving(caseId, { resolution, resolvedAt: at, endedAt })
      : {
          Key: caseKey(caseId),
          UpdateExpression: 'SET endedAt = :ended',
          ConditionExpression: 'attribute_not_exists(endedAt)',
          ExpressionAttributeValues: { ':ended': endedAt },
        },
});

/** Records how many credits are still missing, unless the case has changed; resolves it if none are. */
export const lowerCase = ({ caseId, missingCredits }: BillingCase, left: number, at: number): Action => ({
  Update: {
    Key: caseKey(caseId),
    UpdateExpression: `SET missingCredits = :left${left === 0 ? ', resolution = :resolution, resolvedAt = :at REMOVE #openPk, #openSk' : ''}`,
    ConditionExpression: 'missingCredits = :missing AND attribute_not_exists(resolvedAt)',
    ...(left === 0 && { ExpressionAttributeNames: { '#openPk': indexes.open.pk, '#openSk': indexes.open.sk } }),
    ExpressionAttributeValues: {
      ':missing': missingCredits,
      ':left': left,
      ...(left === 0 && { ':resolution': endings.recovered, ':at': at }),
    },
  },
});

/** Finds cases by their ids, unordered, without those that cannot be read. */
export async function findCases(table: Table, caseIds: readonly string[]): Promise<BillingCase[]> {
  const items = caseIds.length === 0 ? [] : await table.getMany(caseIds.map(caseKey));
  return readableItems(table, 'case', items, toCase);
}

export function caseStore(table: Table): CaseStore {
  return {
    async find(caseId) {
      const item = await table.get(caseKey(caseId));
      return item && toCase(item);
    },
    async ofOrder(orderId) {
      const items = table.walk({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :ids)',
        ExpressionAttributeValues: { ':pk': casesPartition, ':ids': caseIdsOf(orderId) },
        ConsistentRead: true,
      });
      return (await Array.fromAsync(items)).map(toCase);
    },
    async list({ onlyOpen }) {
      const items = table.walk({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': casesPartition },
        ConsistentRead: true,
      });
      const cases = readableItems(table, 'case', await Array.fromAsync(items), toCase);
      const wanted = onlyOpen ? cases.filter(({ resolvedAt }) => resolvedAt === undefined) : cases;
      return wanted.toSorted((one, other) => one.createdAt - other.createdAt);
    },
  };
}
