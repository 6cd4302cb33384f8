/**
 * Claims on idempotency keys: a lease on a key while an external system is called, before there is a response to store.
 */
import { type Action, ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import type { StoredResponse } from './idempotency.ts';
import { expiryFrom, type IdempotencyScope, itemKeyOf, toStoredResponse } from './idempotency-store.ts';

export interface Claim {
  readonly scope: IdempotencyScope;
  /** The id of the request that holds the claim. */
  readonly owner: string;
  /** The idempotency key that is sent to the external system. */
  readonly outsideKey: string;
  /** Whether an earlier request has called the external system with the same key, with an unknown result. */
  readonly isInherited: boolean;
  /** When the key was first claimed, or when a later request recorded another call to the external system. */
  readonly calledAt: number;
}

export type ClaimOutcome =
  | { readonly status: 'claimed'; readonly claim: Claim }
  | { readonly status: 'completed'; readonly response: StoredResponse }
  | { readonly status: 'in-progress' }
  /** An unfinished request with another body holds the key. */
  | { readonly status: 'other-body' };

/** The lease of a claim is longer than a function runs, so that only the claim of a crashed request expires. */
const leaseMs = 30_000;

interface NewClaim extends Pick<Claim, 'owner' | 'outsideKey'> {
  readonly fingerprint: string;
  /** Whether the key becomes free when its lease expires, rather than staying bound to this request. */
  readonly isRepeatable: boolean;
}

/** The failed condition, with the existing item; undefined if the write succeeded. */
async function unlessFailed(write: Promise<unknown>): Promise<ConditionFailed | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return error;
    throw error;
  }
}

/**
 * Takes over the claim of a crashed request. The key for the external system is kept, because the result of its call is
 * unknown.
 */
async function takeOver(table: Table, scope: IdempotencyScope, deadOwner: unknown, owner: string, now: number) {
  const update = table.update({
    Key: itemKeyOf(scope),
    UpdateExpression: 'SET claimedBy = :owner, leaseUntil = :lease',
    // `validUntil > :now` matters because, once the idempotency key is free again, the next request must not get the
    // old key for the external system: what was created with that key is removed.
    ConditionExpression:
      'claimedBy = :dead AND attribute_not_exists(body) AND leaseUntil <= :now AND validUntil > :now',
    ExpressionAttributeValues: { ':owner': owner, ':lease': now + leaseMs, ':dead': deadOwner, ':now': now },
  });
  return (await unlessFailed(update)) === undefined;
}

/**
 * Claims a key, unless it has a response or another request is using it. The claim of an unfinished request passes only
 * to requests with the same body, because the external system acted on that body.
 */
export async function claimKey(
  table: Table,
  scope: IdempotencyScope,
  { owner, outsideKey, fingerprint, isRepeatable }: NewClaim,
  now: number,
): Promise<ClaimOutcome> {
  const leaseUntil = now + leaseMs;
  const put = table.put({
    Item: {
      ...itemKeyOf(scope),
      claimedBy: owner,
      outsideKey,
      fingerprint,
      leaseUntil,
      calledAt: now,
      ...expiryFrom(now),
      ...(isRepeatable && { validUntil: leaseUntil }),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const failed = await unlessFailed(put);
  const claimed = (heldKey: string, calledAt: number): ClaimOutcome => ({
    status: 'claimed',
    claim: { scope, owner, outsideKey: heldKey, isInherited: heldKey !== outsideKey, calledAt },
  });
  if (!failed) return claimed(outsideKey, now);
  const { item = {} } = failed;
  const calledAt = Number(item.calledAt ?? now);
  if (item.body !== undefined) return { status: 'completed', response: toStoredResponse(item) };
  // The claim is already this request's: its write was retried after the response was lost.
  if (item.claimedBy === owner) return claimed(String(item.outsideKey), calledAt);
  if (Number(item.leaseUntil) > now) return { status: 'in-progress' };
  if (item.fingerprint !== fingerprint) return { status: 'other-body' };
  if (!(await takeOver(table, scope, item.claimedBy, owner, now))) return { status: 'in-progress' };
  return claimed(String(item.outsideKey), calledAt);
}

/** Records that the external system is about to be called again; false if another request has taken over the claim. */
export async function recordCall(table: Table, { scope, owner }: Claim, now: number): Promise<boolean> {
  const update = table.update({
    Key: itemKeyOf(scope),
    UpdateExpression: 'SET calledAt = :now',
    ConditionExpression: 'claimedBy = :owner AND attribute_not_exists(body)',
    ExpressionAttributeValues: { ':now': now, ':owner': owner },
  });
  return (await unlessFailed(update)) === undefined;
}

/**
 * How a claim ends without a response: the key for the external system is kept for a request with the same body, or the
 * idempotency key becomes free.
 */
export type ClaimEnd = 'keeps-outside-key' | 'frees-key';

/** Ends a claim without a response; false if another request has taken it over. */
export async function releaseClaim(table: Table, { scope, owner }: Claim, end: ClaimEnd): Promise<boolean> {
  const update = table.update({
    Key: itemKeyOf(scope),
    UpdateExpression: `SET leaseUntil = :over${end === 'frees-key' ? ', validUntil = :over' : ''}`,
    ConditionExpression: 'claimedBy = :owner AND attribute_not_exists(body)',
    ExpressionAttributeValues: { ':over': 0, ':owner': owner },
  });
  return (await unlessFailed(update)) === undefined;
}

/** Stores the response of a claimed key in the same transaction as its effect; fails if the claim was taken over. */
export const storeClaimedResponse = (
  { scope, owner }: Claim,
  { status, body }: Pick<StoredResponse, 'status' | 'body'>,
  now: number,
): Action => {
  const { validUntil, expiresAt } = expiryFrom(now);
  return {
    Update: {
      Key: itemKeyOf(scope),
      UpdateExpression:
        'SET #status = :status, body = :body, validUntil = :valid, expiresAt = :expires REMOVE leaseUntil',
      ConditionExpression: 'claimedBy = :owner AND attribute_not_exists(body)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':status': status,
        ':body': body,
        ':valid': validUntil,
        ':expires': expiresAt,
        ':owner': owner,
      },
    },
  };
};
