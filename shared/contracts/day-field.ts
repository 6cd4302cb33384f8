/** A day (UTC) in a query. */
import * as z from 'zod';

const problem = { error: 'must be a day such as 2026-11-21' };

export const day = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, problem)
    .refine((text) => !Number.isNaN(Date.parse(text)), problem);
