/** Invitations, one per email address: to sign up, or to take over an account that an operator created. */
import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { expiryAttribute, invitationKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Stores } from '../stores.ts';

export const invitationDays = 30;

export interface Invitation {
  /** The account to take over; if absent, the first log-in creates one. */
  readonly accountId?: string;
  readonly createdAt: number;
  /** When the invitation expires; absent once it is accepted. */
  readonly expiresAt?: number;
  readonly acceptedAt?: number;
}

interface NewInvitation {
  readonly accountId?: string;
  /** Whether to replace an earlier invitation, pending or accepted. */
  readonly replaces?: boolean | undefined;
}

type Needs = Pick<Stores, 'table'> & { readonly clock: Clock };

/** The address already has a pending or accepted invitation. */
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
    /** The expiry in seconds since the epoch, for DynamoDB's time to live. */
    [expiryAttribute]: z.exactOptional(z.int()),
    acceptedAt: z.exactOptional(z.int()),
  }),
);

function invitationOf(item: Item): Invitation {
  const { [expiryAttribute]: seconds, ...rest } = parseRow('invitation', InvitationRow(), item);
  return { ...rest, ...(seconds !== undefined && { expiresAt: seconds * 1000 }) };
}

/** The name in an address without quotation marks, if it means the same without them. */
function unquoted(name: string): string {
  const content = /^"(.*)"$/s.exec(name)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? '';
  return /^[^\s\p{C}()<>[\]:;@\\,."]+(?:\.[^\s\p{C}()<>[\]:;@\\,."]+)*$/u.test(content) ? content : name;
}

/**
 * The domain in ASCII. What is no host name, such as one with a slash, has no ASCII form or that of another name; and a
 * number, such as 0x7f.1, has that of an IP address.
 */
const inAscii = (written: string): string => {
  const ascii = /^[\p{L}\p{M}\p{N}.\-。．｡]+$/u.test(written) ? domainToASCII(written) : '';
  return ascii === '' || isIPv4(ascii) ? written : ascii;
};

/**
 * The digest of an email address, used as a key instead of the address. Case is ignored, because providers differ in it
 * and addresses that differ only in case belong to one person. So are the ways to write one name, with quotation marks
 * or with accents as characters of their own, and one domain: with full-width letters or dots, in Unicode or Punycode,
 * and with a dot at the end.
 */
export function addressDigest(email: string): string {
  const written = email.trim().toLowerCase().normalize('NFC');
  const [, name, domain = ''] = /^(?:(.*)@)?(.*)$/s.exec(written) ?? [];
  const address = `${name === undefined ? '' : `${unquoted(name)}@`}${inAscii(domain)}`;
  return createHash('sha256').update(address.replace(/\.+$/, '')).digest('base64url');
}

const keyOf = (email: string) => invitationKey(addressDigest(email));

/**
 * Invites an address, in one transaction with the actions. @throws {InvitationExists} unless it replaces the existing
 * invitation or that one has expired
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

/** The pending invitation of an address. */
export async function pendingInvitation({ clock, table }: Needs, email: string): Promise<Invitation | undefined> {
  const item = await table.get(keyOf(email));
  const invitation = item && invitationOf(item);
  return invitation?.expiresAt !== undefined && invitation.expiresAt > clock.now() ? invitation : undefined;
}

/** Accepts an invitation; fails if it was accepted or replaced since it was read. */
export const acceptance = (email: string, { createdAt }: Invitation, now: number): Action => ({
  Update: {
    Key: keyOf(email),
    UpdateExpression: `SET acceptedAt = :now REMOVE ${expiryAttribute}`,
    ConditionExpression: 'createdAt = :createdAt AND attribute_not_exists(acceptedAt)',
    ExpressionAttributeValues: { ':now': now, ':createdAt': createdAt },
  },
});
