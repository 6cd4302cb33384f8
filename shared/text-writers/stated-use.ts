/** Forms of what providers state that an answer of a language model took. */
import * as z from 'zod';

/** Limits that are higher than what any answer takes, so that a wrong number cannot spoil sums. */
const most = { tokens: 10_000_000, dollars: 100 } as const;

/** How many tokens were read or written. */
export const statedTokens = z.int().min(0).max(most.tokens);

/** What an answer costs in dollars; an impossible number counts as not stated. */
export const statedDollars = z.number().min(0).max(most.dollars).nullish().catch(undefined);
