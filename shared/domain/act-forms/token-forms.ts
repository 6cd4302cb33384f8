/** What acts on API tokens need, and who may perform them. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import { monthlyCapLimit } from '../../contracts/limits.ts';
import type { ActForms } from './act-form.ts';

const cap = () => z.int().min(1).max(monthlyCapLimit);

export const tokenForms = {
  setTokenCap: {
    name: 'setTokenCap',
    role: 'support',
    summary: 'Set or remove the monthly cap of a token; what it spent this month is still counted.',
    input: () => z.strictObject({ account: id(), token: id(), cap: cap().nullable() }),
  },
  revokeToken: {
    name: 'revokeToken',
    role: 'support',
    summary: 'Revoke a token; its next request is rejected.',
    input: () => z.strictObject({ account: id(), token: id() }),
  },
} as const satisfies ActForms;
