/** Whose account somebody who has logged in gets: theirs, one that an operator made for them, or a new one. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { LoginProblem } from '../../contracts/login.ts';
import { once } from '../../contracts/once.ts';
import type { Identified } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Item, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Settings } from '../../platform/settings.ts';
import { newAccountActions } from '../accounts/create-account.ts';
import { identityKey, signUpKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Stores } from '../stores.ts';
import { acceptance, addressDigest, pendingInvitation } from './invitation.ts';

const SignUpRules = once(() =>
  z.object({
    signUp: z.enum(['open', 'invitation', 'closed']),
    /** Credits that a new account begins with, if it is the first of its owner's address. */
    credits: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
);
export type SignUpRules = Readonly<z.output<ReturnType<typeof SignUpRules>>>;

/** @throws when a setting is none of those that are known: nobody may sign up by mistake */
export const signUpRules = (settings: Pick<Settings, 'signUp' | 'signUpCredits'>): SignUpRules =>
  SignUpRules().parse({ signUp: settings.signUp, credits: settings.signUpCredits });

interface Needs extends Pick<Stores, 'accounts' | 'catalog' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
}

type Admitted = { readonly accountId: string } | { readonly problem: LoginProblem };

const IdentityRow = once(() => z.object({ accountId: z.string() }));
const keyOfIdentity = ({ issuer, subject }: Pick<Identified, 'issuer' | 'subject'>) =>
  identityKey(createHash('sha256').update(`${issuer} ${subject}`).digest('base64url'));

const known = (item: Item): Admitted => ({ accountId: parseRow('identity', IdentityRow(), item).accountId });

/** The row that makes an address's first sign-up its only one with a bonus, whatever identities come with the address. */
const firstSignUp = (email: string, now: number): Action => ({
  Put: {
    Item: { ...signUpKey(addressDigest(email)), createdAt: now },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** One try: undefined if another log-in of the same identity, or of the same address, was faster. */
async function admit(context: Needs, by: Identified, { credits, signUp }: SignUpRules): Promise<Admitted | undefined> {
  const { clock, table } = context;
  const identity = await table.get(keyOfIdentity(by));
  if (identity) return known(identity);
  const invitation = by.isEmailVerified ? await pendingInvitation(context, by.email) : undefined;
  if (!invitation?.accountId) {
    if (signUp === 'closed') return { problem: 'closed' };
    if (!by.isEmailVerified) return { problem: 'email-unverified' };
    if (signUp === 'invitation' && !invitation) return { problem: 'not-invited' };
  }
  const now = clock.now();
  const hasSignedUp = (await table.get(signUpKey(addressDigest(by.email)))) !== undefined;
  const made = invitation?.accountId
    ? { accountId: invitation.accountId, actions: [] }
    : await newAccountActions(context, { email: by.email, name: by.name, credits: hasSignedUp ? 0 : credits });
  const { accountId, actions } = made;
  const link: Action = {
    Put: {
      Item: { ...keyOfIdentity(by), accountId, createdAt: now },
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

/** The account of an identity, once it is found, claimed or created: exactly one, however many log-ins race. */
export async function accountOf(context: Needs, by: Identified, rules: SignUpRules): Promise<Admitted> {
  // Each of these may be lost once: the invitation, the address's first sign-up, the identity. Then the account is found.
  for (let tries = 0; tries < 5; tries += 1) {
    const admitted = await admit(context, by, rules);
    if (admitted) return admitted;
  }
  throw new Error('an identity could be neither found nor linked');
}
