/** Why a generation is rejected although its request is valid: what the account or the token lacks. */
import type { Feature } from '../../contracts/features.ts';
import { observationDays, simultaneousTasks } from '../../contracts/limits.ts';
import type { Account } from '../accounts/account.ts';
import type { Shortage } from '../accounts/account-store.ts';
import { tooManyChargedFailures } from '../accounts/charged-failures.ts';
import { accountClosed } from '../accounts/closed-account.ts';
import { tooManyLongResults } from '../accounts/long-results.ts';
import { missingFeature } from '../catalog/require-available.ts';
import { Rejection } from '../rejection.ts';

/** How soon a slot may be free again: most tasks take at least a few seconds. */
const slotRetrySeconds = 5;

interface Wanted {
  readonly cost: number;
  /** Whether the request costs at least this much; its exact cost is not known yet. */
  readonly isLeast?: true;
  readonly feature: Feature | undefined;
  readonly now: number;
}

/** The rejection of a request whose account lacks something. */
export function rejectionOf(shortage: Shortage, { cost, isLeast, feature, now }: Wanted, account: Account): Rejection {
  switch (shortage) {
    case 'closed':
      return accountClosed();
    case 'charged-failures':
      return tooManyChargedFailures(account, now);
    case 'long-results':
      return tooManyLongResults(now);
    case 'file-slot':
      return new Rejection('too-many-tasks', {
        message: `A task of the account counted as longer than what was paid for in the last ${observationDays} days, so only one task whose price depends on the duration of a file can be open.`,
        retryAfterSeconds: slotRetrySeconds,
      });
    case 'feature':
      return missingFeature(feature);
    case 'balance':
      return new Rejection('insufficient-credits', {
        message: `The request costs ${isLeast ? 'at least ' : ''}${cost} credits and the balance is ${account.balance}.`,
      });
    default:
      return new Rejection('too-many-tasks', {
        message: `The account already has ${simultaneousTasks} open tasks.`,
        retryAfterSeconds: slotRetrySeconds,
      });
  }
}

/** The rejection of a request whose cost exceeds what the token may still spend. */
export const exceedsCap = (cost: number, cap: number | undefined, spent: number): Rejection =>
  new Rejection('insufficient-credits', {
    message: `The request costs ${cost} credits, and the token has spent ${spent} of the ${cap} that it may spend this month (UTC).`,
  });
