/**
 * Finds or creates the account of a person who has logged in: their own, one that an operator created for them, or a
 * new one.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { LoginProblem } from '../../contracts/login.ts';
import { once } from '../../contracts/once.ts';
import type { Identified } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Settings } from '../../platform/settings.ts';
import { isClosed, isEnterable, requireOpen } from '../accounts/closed-account.ts';
import { newAccountActions } from '../accounts/create-account.ts';
import { identitiesOwner, indexes } from '../index-keys.ts';
import { identityKey, signUpKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Stores } from '../stores.ts';
import { acceptance, addressDigest, type Invitation, pendingInvitation } from './invitation.ts';

const SignUpRules = once(() =>
  z.object({
    signUp: z.enum(['open', 'invitation', 'closed']),
    /** The first credits of a new account, granted once per email address. */
    credits: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
);
export type SignUpRules = Readonly<z.output<ReturnType<typeof SignUpRules>>>;

/** Reads the sign-up settings. @throws for an unknown value, so that a typo cannot open sign-up to everyone */
export const signUpRules = (settings: Pick<Settings, 'signUp' | 'signUpCredits'>): SignUpRules =>
  SignUpRules().parse({ signUp: settings.signUp, credits: settings.signUpCredits });

interface Needs extends Pick<Stores, 'accounts' | 'catalog' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
}

type Admitted = { readonly accountId: string; readonly isOfClosed?: boolean } | { readonly problem: LoginProblem };

const IdentityRow = once(() => z.object({ accountId: z.string() }));
const keyOfIdentity = ({ issuer, subject }: Pick<Identified, 'issuer' | 'subject'>) =>
  identityKey(createHash('sha256').update(`${issuer} ${subject}`).digest('base64url'));

const known = (item: Item) => ({ accountId: parseRow('identity', IdentityRow(), item).accountId });

/** The row that limits the first credits to once per email address, whatever identities use that address. */
const firstSignUp = (email: string, now: number): Action => ({
  Put: {
    Item: { ...signUpKey(addressDigest(email)), createdAt: now },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The invitation that a log-in accepts; undefined if there is none, or if it is to an account that is closed. */
async function invitationFor(context: Needs, { email, isEmailVerified }: Identified): Promise<Invitation | undefined> {
  const invitation = isEmailVerified ? await pendingInvitation(context, email) : undefined;
  const account = invitation?.accountId === undefined ? undefined : await context.accounts.find(invitation.accountId);
  return account && isClosed(account) ? undefined : invitation;
}

/** One attempt to sign up; undefined if a concurrent log-in with the same identity or address was committed first. */
async function admit(context: Needs, by: Identified, { credits, signUp }: SignUpRules): Promise<Admitted | undefined> {
  const { clock, table } = context;
  const identity = await table.get(keyOfIdentity(by));
  if (identity) {
    const admitted = known(identity);
    // The row of the identity may have survived the erasure of its account, which cannot find all identities.
    const account = await context.accounts.find(admitted.accountId);
    if (!account || !isClosed(account)) return admitted;
    return isEnterable(account) ? { ...admitted, isOfClosed: true } : { problem: 'closed' };
  }
  const invitation = await invitationFor(context, by);
  if (!invitation?.accountId) {
    if (signUp === 'closed') return { problem: 'closed' };
    if (!by.isEmailVerified) return { problem: 'email-unverified' };
    if (signUp === 'invitation' && !invitation) return { problem: 'not-invited' };
  }
  const now = clock.now();
  const hasSignedUp = (await table.get(signUpKey(addressDigest(by.email)))) !== undefined;
  const made = invitation?.accountId
    ? { accountId: invitation.accountId, actions: [requireOpen(invitation.accountId)] }
    : await newAccountActions(context, { email: by.email, name: by.name, credits: hasSignedUp ? 0 : credits });
  const { accountId, actions } = made;
  const link: Action = {
    Put: {
      Item: {
        ...keyOfIdentity(by),
        accountId,
        username: by.username,
        createdAt: now,
        [indexes.byOwner.pk]: identitiesOwner(accountId),
        [indexes.byOwner.sk]: keyOfIdentity(by).pk,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  try {
    await table.transact([
      link,
      ...actions,
      ...(hasSignedUp ? [] : [firstSignUp(by.email, now)]),
      ...(invitation ? [acceptance(by.email, invitation, now)] : []),
    ]);
    return { accountId };
  } catch (error) {
    if (error instanceof TransactionCanceled) return undefined;
    throw error;
  }
}

/** Finds, claims or creates the account of an identity: exactly one, however many log-ins run concurrently. */
export async function accountOf(context: Needs, by: Identified, rules: SignUpRules): Promise<Admitted> {
  // A concurrent log-in can be committed first three times: when it accepts the invitation, when it uses up the first
  // sign-up, and when it stores the identity. After that, the account is found.
  for (let tries = 0; tries < 5; tries += 1) {
    const admitted = await admit(context, by, rules);
    if (admitted) return admitted;
  }
  throw new Error('an identity could be neither found nor linked');
}
