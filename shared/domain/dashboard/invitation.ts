/** Invitations, one per e-mail address: to sign up, or to take over an account that was made for its owner. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { expiryAttribute, invitationKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Stores } from '../stores.ts';

export const invitationDays = 30;

export interface Invitation {
  /** The account to take over; without one, the first log-in creates it. */
  readonly accountId?: string;
  readonly createdAt: number;
  /** Only while nobody accepted it. */
  readonly expiresAt?: number;
  readonly acceptedAt?: number;
}

interface NewInvitation {
  readonly accountId?: string;
  /** Whether it replaces what was pending or accepted before. */
  readonly replaces?: boolean | undefined;
}

type Needs = Pick<Stores, 'table'> & { readonly clock: Clock };

/** The address has an invitation that is pending, or accepted one. */
export class InvitationExists extends Error {
  override readonly name = 'InvitationExists';
  readonly invitation: Invitation;
  constructor(invitation: Invitation) {
    super('the address has an invitation already');
    this.invitation = invitation;
  }
}

const InvitationRow = once(() =>
  z.object({
    accountId: z.exactOptional(z.string()),
    createdAt: z.int(),
    /** Seconds. */
    [expiryAttribute]: z.exactOptional(z.int()),
    acceptedAt: z.exactOptional(z.int()),
  }),
);

function invitationOf(item: Item): Invitation {
  const { [expiryAttribute]: seconds, ...rest } = parseRow('invitation', InvitationRow(), item);
  return { ...rest, ...(seconds !== undefined && { expiresAt: seconds * 1000 }) };
}

/**
 * What rows are keyed by in place of an address. Providers differ in the case of addresses, and no two people share one
 * that differs in case alone.
 */
export const addressDigest = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');

const keyOf = (email: string) => invitationKey(addressDigest(email));

/**
 * Invites the owner of an address, in one transaction with the actions.
 * @throws {InvitationExists} unless it replaces what the address has, or what it has is expired.
 */
export async function invite(
  { clock, table }: Needs,
  email: string,
  { accountId, replaces = false }: NewInvitation = {},
  actions: readonly Action[] = [],
): Promise<{ readonly expiresAt: number }> {
  const now = clock.now();
  const expiry = Math.ceil(now / 1000) + invitationDays * 86_400;
  const invitation = { createdAt: now, [expiryAttribute]: expiry, ...(accountId !== undefined && { accountId }) };
  const unlessOneExists = {
    ConditionExpression: `attribute_not_exists(pk) OR ${expiryAttribute} <= :now`,
    ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  const Put = { Item: { ...keyOf(email), ...invitation }, ...(!replaces && unlessOneExists) };
  try {
    await table.transact([{ Put }, ...actions]);
  } catch (error) {
    const existing = error instanceof TransactionCanceled ? error.failures[0]?.item : undefined;
    throw existing ? new InvitationExists(invitationOf(existing)) : error;
  }
  return { expiresAt: expiry * 1000 };
}

/** The invitation that the owner of the address can accept. */
export async function pendingInvitation({ clock, table }: Needs, email: string): Promise<Invitation | undefined> {
  const item = await table.get(keyOf(email));
  const invitation = item && invitationOf(item);
  return invitation?.expiresAt !== undefined && invitation.expiresAt > clock.now() ? invitation : undefined;
}

/** Fails if the invitation was accepted or replaced after it was read. */
export const acceptance = (email: string, { createdAt }: Invitation, now: number): Action => ({
  Update: {
    Key: keyOf(email),
    UpdateExpression: `SET acceptedAt = :now REMOVE ${expiryAttribute}`,
    ConditionExpression: 'createdAt = :createdAt AND attribute_not_exists(acceptedAt)',
    ExpressionAttributeValues: { ':now': now, ':createdAt': createdAt },
  },
});
