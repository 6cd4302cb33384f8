/** How owners confirm who they are, before requests that a session alone must not make. */
import * as z from 'zod';
import { text } from './fields.ts';
import { passwordGuesses } from './limits.ts';
import { once } from './once.ts';

export const password = () =>
  text(1, 256).optional().describe('The password of the owner; required of accounts that have one.');

/** The body of requests that consist of the confirmation alone. */
export const Confirmation = once(() => z.object({ password: password() }));

/** What owners confirm, and how often they may try. */
export const confirmation = `a recent confirmation of who the owner is: the password of accounts that have one, or a log-in in this session through the same provider within the last ten minutes. Of an account's passwords ${passwordGuesses} may be wrong in a quarter of an hour; after that the response is 429 even to the right one.`;
