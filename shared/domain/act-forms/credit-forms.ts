/** What acts on credits need, and who may perform them. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import { grantKinds, grantLimit, operatorGrantLimit } from '../../contracts/grants.ts';
import { type ActForms, onAccount } from './act-form.ts';

const creditsMax = 1_000_000_000;

const decided = () => z.strictObject({ request: id() });

export const creditForms = {
  grantCredits: {
    name: 'grantCredits',
    role: 'support',
    summary: `Add or remove credits; more than ${grantLimit} a day for one account, or ${operatorGrantLimit} for all, need another operator's approval.`,
    input: () =>
      z
        .strictObject({
          account: id(),
          amount: z.int().min(-creditsMax).max(creditsMax),
          kind: z.enum(grantKinds),
        })
        .refine(({ amount }) => amount !== 0, { error: 'must not be 0', path: ['amount'] })
        .refine(({ amount, kind }) => amount > 0 || kind === 'adjustment', {
          error: 'must be adjustment when amount is negative',
          path: ['kind'],
        }),
  },
  approveGrant: {
    name: 'approveGrant',
    role: 'admin',
    summary: 'Approve a grant that another operator requested, which adds its credits.',
    input: decided,
  },
  declineGrant: {
    name: 'declineGrant',
    role: 'support',
    summary: 'Decline a grant that waits for approval, or withdraw your own.',
    input: decided,
  },
  fillTestCredits: {
    name: 'fillTestCredits',
    role: 'support',
    summary: 'Fill up the credits of the test tokens of an account.',
    input: onAccount,
  },
} as const satisfies ActForms;
