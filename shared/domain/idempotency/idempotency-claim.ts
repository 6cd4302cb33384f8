/** Claims of idempotency keys: a lease on a key while an outside party is called, before there is a response to store. */
import { type Action, ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import type { StoredResponse } from './idempotency.ts';
import { expiryFrom, type IdempotencyScope, itemKeyOf, toStoredResponse } from './idempotency-store.ts';

export interface Claim {
  readonly scope: IdempotencyScope;
  /** Who holds the claim. */
  readonly owner: string;
  /** What the outside party knows the request by. */
  readonly outsideKey: string;
}

export type ClaimOutcome =
  | { readonly status: 'claimed'; readonly claim: Claim }
  | { readonly status: 'answered'; readonly response: StoredResponse }
  | { readonly status: 'in-progress' };

/** Longer than a function runs, so that only the claim of a dead request expires. */
const leaseMs = 30_000;

interface NewClaim extends Omit<Claim, 'scope'> {
  readonly fingerprint: string;
}

/** Undefined when the condition did not hold because of the item that is given back. */
async function unlessFailed(write: Promise<unknown>): Promise<ConditionFailed | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return error;
    throw error;
  }
}

/** Takes over the claim of a request that has died; its outside key stays, because its outcome is unknown. */
async function takeOver(table: Table, scope: IdempotencyScope, deadOwner: unknown, owner: string, now: number) {
  const update = table.update({
    Key: itemKeyOf(scope),
    UpdateExpression: 'SET claimedBy = :owner, leaseUntil = :lease',
    ConditionExpression: 'claimedBy = :dead AND attribute_not_exists(body) AND leaseUntil <= :now',
    ExpressionAttributeValues: { ':owner': owner, ':lease': now + leaseMs, ':dead': deadOwner, ':now': now },
  });
  return (await unlessFailed(update)) === undefined;
}

/** Claims a key, unless it stands for a response or another request is working on it. */
export async function claimKey(
  table: Table,
  scope: IdempotencyScope,
  { owner, outsideKey, fingerprint }: NewClaim,
  now: number,
): Promise<ClaimOutcome> {
  const put = table.put({
    Item: {
      ...itemKeyOf(scope),
      claimedBy: owner,
      outsideKey,
      fingerprint,
      leaseUntil: now + leaseMs,
      ...expiryFrom(now),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const failed = await unlessFailed(put);
  if (!failed) return { status: 'claimed', claim: { scope, owner, outsideKey } };
  const { item = {} } = failed;
  // The write was repeated after its first response was lost.
  const isOurs = item.claimedBy === owner && item.body === undefined;
  if (isOurs) return { status: 'claimed', claim: { scope, owner, outsideKey: String(item.outsideKey) } };
  if (item.body !== undefined) return { status: 'answered', response: toStoredResponse(item) };
  const isDead = Number(item.leaseUntil) <= now;
  if (!isDead || !(await takeOver(table, scope, item.claimedBy, owner, now))) return { status: 'in-progress' };
  return { status: 'claimed', claim: { scope, owner, outsideKey: String(item.outsideKey) } };
}

/** Ends a claim without a response. Without the outside key the next request is a new one for the outside party. */
export async function releaseClaim(
  table: Table,
  { scope, owner }: Claim,
  { keepsOutsideKey }: { readonly keepsOutsideKey: boolean },
): Promise<void> {
  await unlessFailed(
    table.update({
      Key: itemKeyOf(scope),
      UpdateExpression: `SET leaseUntil = :over${keepsOutsideKey ? '' : ', validUntil = :over'}`,
      ConditionExpression: 'claimedBy = :owner AND attribute_not_exists(body)',
      ExpressionAttributeValues: { ':over': 0, ':owner': owner },
    }),
  );
}

/** Stores the response of a claimed key, in the transaction of what it answers for; fails if the claim was taken over. */
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
