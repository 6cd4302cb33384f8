/** Stores grants that need a second operator. */
import * as z from 'zod';
import { grantKinds } from '../../contracts/grants.ts';
import { once } from '../../contracts/once.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { grantRequestKey, grantsPartition } from '../operator-keys.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import type { Operator } from './operator.ts';

/** How long a second operator has to decide. */
export const decisionDays = 7;

export const grantStates = ['waiting', 'approved', 'declined'] as const;

export interface GrantRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly amount: number;
  readonly kind: (typeof grantKinds)[number];
  readonly reason: string;
  readonly requestedBy: Pick<Operator, 'id' | 'name'>;
  readonly requestedAt: number;
  readonly validUntil: number;
  readonly state: (typeof grantStates)[number];
  readonly decidedBy?: Pick<Operator, 'id' | 'name'>;
  readonly decidedAt?: number;
}

export interface GrantRequestStore {
  find(requestId: string): Promise<GrantRequest | undefined>;
  /** The requests that can still be decided, oldest first. */
  waiting(now: number): Promise<GrantRequest[]>;
}

const Person = once(() => z.object({ id: z.string(), name: z.string() }));

const RequestRow = once(() =>
  z.object({
    accountId: z.string(),
    amount: z.int().min(1),
    kind: z.enum(grantKinds),
    reason: z.string(),
    requestedBy: Person(),
    requestedAt: z.int(),
    validUntil: z.int(),
    state: z.enum(grantStates),
    decidedBy: z.exactOptional(Person()),
    decidedAt: z.exactOptional(z.int()),
  }),
);

const toRequest = (item: Item): GrantRequest => ({
  requestId: String(item.sk),
  ...parseRow('grant request', RequestRow(), item),
});

export const insertRequest = ({ requestId, ...request }: GrantRequest): Action => ({
  Put: { Item: { ...grantRequestKey(requestId), ...request }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/**
 * Decides a pending request. The write fails if the request has expired, or if the operator who made it tries to
 * approve it.
 */
export const decideRequest = (
  requestId: string,
  state: 'approved' | 'declined',
  { operator, at }: { readonly operator: Operator; readonly at: number },
): Action => ({
  Update: {
    Key: grantRequestKey(requestId),
    UpdateExpression: 'SET #state = :state, decidedBy = :by, decidedAt = :at',
    ConditionExpression: `#state = :waiting AND validUntil > :at${state === 'approved' ? ' AND requestedBy.id <> :operator' : ''}`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':state': state,
      ':waiting': 'waiting',
      ':at': at,
      ':by': { id: operator.id, name: operator.name },
      ...(state === 'approved' && { ':operator': operator.id }),
    },
  },
});

export const grantRequestStore = (table: Table): GrantRequestStore => ({
  async find(requestId) {
    const item = await table.get(grantRequestKey(requestId));
    return item && toRequest(item);
  },
  async waiting(now) {
    const items = table.walk({
      KeyConditionExpression: 'pk = :pk AND sk >= :oldest',
      ExpressionAttributeValues: { ':pk': grantsPartition, ':oldest': firstIdAt(now - decisionDays * dayMs) },
      ConsistentRead: true,
    });
    const found = readableItems(table, 'grant request', await Array.fromAsync(items), toRequest);
    return found.filter(({ state, validUntil }) => state === 'waiting' && validUntil > now);
  },
});
