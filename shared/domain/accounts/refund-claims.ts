/**
 * Claims on refunds of tasks. If a payment is returned while its credits are being used by open tasks, the account
 * lacks credits, and a case records how many. If one of these tasks fails, its refund goes to the case first.
 */
import type { Account } from './account.ts';
import type { Clauses } from './update-account.ts';

export interface RefundClaim {
  /** The case about the missing credits. */
  readonly caseId: string;
  /**
   * The tasks that were open when the case was opened, without those that have ended since. Those that an older claim
   * names may be left out.
   */
  readonly taskIds: readonly string[];
}

type Claims = readonly RefundClaim[];

/**
 * The most claims of an account, which keep its row small. At the default prices, as many of the smallest packs have
 * more credits than its open tasks can cost. If more payments are returned, their cases are opened without a claim.
 */
export const maxClaims = 100;

/** Replaces an account's claims, if it still has those that were read. */
export function changeClaims(before: Claims, after: Claims): Clauses {
  const when = [before.length === 0 ? 'attribute_not_exists(refundClaims)' : 'refundClaims = :claimsBefore'];
  const values = before.length === 0 ? {} : { ':claimsBefore': before };
  if (after.length > 0) return { set: ['refundClaims = :claims'], when, values: { ...values, ':claims': after } };
  return before.length === 0 ? { when } : { remove: ['refundClaims'], when, values };
}

/** The claims from the first one that names a task: what was open then and has not ended was open later, too. */
function from(claims: Claims, isNamed: (taskId: string) => boolean): Claims {
  const first = claims.findIndex(({ taskIds }) => taskIds.some(isNamed));
  return first === -1 ? [] : claims.slice(first);
}

/** The claims on the refund of a task, oldest first. */
export const claimsOn = (claims: Claims, taskId: string): Claims => from(claims, (one) => one === taskId);

/** The claims that remain when a task ends. */
export function claimsWithout(claims: Claims, taskId: string): Claims {
  const left = claims.map(({ caseId, taskIds }) => ({ caseId, taskIds: taskIds.filter((one) => one !== taskId) }));
  return from(left, () => true);
}

/**
 * Takes all credits that an account has and claims the refunds of its open tasks, unless the account has changed since
 * it was read.
 */
export function emptyAccount({ balance, openTasks, refundClaims = [] }: Account, caseId: string): readonly Clauses[] {
  const isIdle = openTasks.length === 0;
  const hasRoom = !isIdle && refundClaims.length < maxClaims;
  const named = new Set(refundClaims.flatMap(({ taskIds }) => taskIds));
  const claim = { caseId, taskIds: openTasks.filter((taskId) => !named.has(taskId)) };
  return [
    {
      set: ['balance = :nothing'],
      when: ['balance = :balance', isIdle ? 'attribute_not_exists(openTasks)' : 'openTasks = :openTasks'],
      values: { ':nothing': 0, ':balance': balance, ...(!isIdle && { ':openTasks': new Set(openTasks) }) },
    },
    hasRoom ? changeClaims(refundClaims, [...refundClaims, claim]) : {},
  ];
}
