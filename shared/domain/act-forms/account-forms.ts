/** What acts on accounts and on who can enter them need, and who may perform them. */
import * as z from 'zod';
import { id, text } from '../../contracts/fields.ts';
import { grantLimit } from '../../contracts/grants.ts';
import { retentionDaysLimit } from '../../contracts/limits.ts';
import { type ActForms, onAccount } from './act-form.ts';

const emailAddress = () =>
  z
    .string()
    .max(254)
    .regex(/^[^\s\p{Cc}\p{Cf}@]+@[^\s\p{Cc}\p{Cf}@]+$/u, 'must be an e-mail address');

const days = () => z.int().min(1).max(retentionDaysLimit);

export const accountForms = {
  createAccount: {
    name: 'createAccount',
    role: 'admin',
    summary: 'Create an account and invite its owner to take it over.',
    input: () =>
      z.strictObject({
        email: emailAddress(),
        name: text(1, 120),
        credits: z.int().min(0).max(grantLimit, `must be at most ${grantLimit}: grant more afterwards`).default(0),
        plan: text(1, 64).optional(),
        replace: z.boolean().default(false),
      }),
  },
  inviteOwner: {
    name: 'inviteOwner',
    // Whoever takes over an account can do everything with it.
    role: 'admin',
    summary: 'Invite the owner of an e-mail address to sign up, or to take over an account.',
    input: () =>
      z.strictObject({ email: emailAddress(), account: id().optional(), replace: z.boolean().default(false) }),
  },
  liftLimits: {
    name: 'liftLimits',
    role: 'support',
    summary:
      'Forget the cancels of an account, its failures by its own fault and its results longer than what was paid for, so that they limit it no more.',
    input: onAccount,
  },
  setRetention: {
    name: 'setRetention',
    role: 'support',
    summary:
      'Set after how many days the results, and the inputs with their texts, of new tasks are erased; none for the default.',
    input: () => z.strictObject({ account: id(), resultsDays: days().nullable(), inputsDays: days().nullable() }),
  },
  endSessions: {
    name: 'endSessions',
    role: 'support',
    summary: 'End all sessions of an account in the dashboard; the next request of each is rejected.',
    input: onAccount,
  },
  addNote: {
    name: 'addNote',
    role: 'support',
    summary: 'Keep a note on an account: the reason is its text.',
    input: onAccount,
  },
  seeAsCustomer: {
    name: 'seeAsCustomer',
    role: 'support',
    summary:
      'See the dashboard of an account as its owner does, for 15 minutes: read-only, and without the inbox and the archive.',
    input: onAccount,
  },
} as const satisfies ActForms;
