/** Grants of credits by operators. */

/** What the history of an account shows of a grant. */
export const grantKinds = ['bonus', 'adjustment'] as const;

/** The most credits that one operator can give one account on a day (UTC). */
export const grantLimit = 10_000;
