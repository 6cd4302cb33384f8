/** Whose account somebody who has logged in gets: theirs, one that an operator made for them, or a new one. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { LoginProblem } from '../../contracts/login.ts';
import { once } from '../../contracts/once.ts';
import type { Identified } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { newAccountActions } from '../accounts/create-account.ts';
import { identityKey, invitationKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Stores } from '../stores.ts';

export interface SignUpRules {
  readonly signUp: 'open' | 'invitation' | 'closed';
  /** Credits that a new account begins with. */
  readonly credits: number;
}

interface Needs extends Stores {
  readonly clock: Clock;
  readonly ids: Ids;
}

type Admitted = { readonly accountId: string } | { readonly problem: LoginProblem };

const IdentityRow = once(() => z.object({ accountId: z.string() }));
const InvitationRow = once(() =>
  z.object({ accountId: z.exactOptional(z.string()), acceptedAt: z.exactOptional(z.int()) }),
);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const keyOfIdentity = ({ issuer, subject }: Pick<Identified, 'issuer' | 'subject'>) =>
  identityKey(digest(`${issuer} ${subject}`));

/** Providers differ in the case of addresses, and no two people share one that differs in case alone. */
const keyOfInvitation = (email: string) => invitationKey(digest(email.trim().toLowerCase()));

const known = (item: Item): Admitted => ({ accountId: parseRow('identity', IdentityRow(), item).accountId });

/** Invites the owner of an e-mail address to sign up, or to take over an account that was made for them. */
export async function invite(
  { clock, table }: Pick<Needs, 'clock' | 'table'>,
  email: string,
  accountId?: string,
): Promise<void> {
  const Item = { ...keyOfInvitation(email), createdAt: clock.now(), ...(accountId !== undefined && { accountId }) };
  await table.put({ Item });
}

const acceptance = (email: string, now: number): Action => ({
  Update: {
    Key: keyOfInvitation(email),
    UpdateExpression: 'SET acceptedAt = :now',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(acceptedAt)',
    ExpressionAttributeValues: { ':now': now },
  },
});

async function openInvitation({ table }: Needs, email: string) {
  const item = await table.get(keyOfInvitation(email));
  const invitation = item && parseRow('invitation', InvitationRow(), item);
  return invitation?.acceptedAt === undefined ? invitation : undefined;
}

/** One try: undefined if another log-in of the same identity, or of the same address, was faster. */
async function admit(context: Needs, by: Identified, { credits, signUp }: SignUpRules): Promise<Admitted | undefined> {
  const { clock, table } = context;
  const identity = await table.get(keyOfIdentity(by));
  if (identity) return known(identity);
  const invitation = by.isEmailVerified ? await openInvitation(context, by.email) : undefined;
  if (!invitation?.accountId) {
    if (signUp === 'closed') return { problem: 'closed' };
    if (!by.isEmailVerified) return { problem: 'email-unverified' };
    if (signUp === 'invitation' && !invitation) return { problem: 'not-invited' };
  }
  const made = invitation?.accountId
    ? { accountId: invitation.accountId, actions: [] }
    : await newAccountActions(context, { email: by.email, name: by.name, credits });
  const { accountId, actions } = made;
  const link: Action = {
    Put: {
      Item: { ...keyOfIdentity(by), accountId, createdAt: clock.now() },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  try {
    await table.transact([link, ...actions, ...(invitation ? [acceptance(by.email, clock.now())] : [])]);
    return { accountId };
  } catch (error) {
    if (error instanceof TransactionCanceled) return undefined;
    throw error;
  }
}

/** The account of an identity, once it is found, claimed or created: exactly one, however many log-ins race. */
export async function accountOf(context: Needs, by: Identified, rules: SignUpRules): Promise<Admitted> {
  // The loser of a race finds the winner's account; only an invitation that is withdrawn meanwhile needs a third look.
  for (let tries = 0; tries < 3; tries += 1) {
    const admitted = await admit(context, by, rules);
    if (admitted) return admitted;
  }
  throw new Error('an identity could be neither found nor linked');
}
