/** What acts on operators need, and who may perform them. */
import * as z from 'zod';
import { text } from '../../contracts/fields.ts';
import type { ActForms } from './act-form.ts';

export const operatorForms = {
  endOperatorSessions: {
    name: 'endOperatorSessions',
    role: 'admin',
    summary:
      'End all sessions of an operator, whose e-mail address is given, and their views. Disable the user first: otherwise they can log in again.',
    input: () => z.strictObject({ operator: text(3, 254) }),
  },
} as const satisfies ActForms;
