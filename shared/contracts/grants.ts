/** Grants of credits by operators. */

/** The parts of a grant that the account's history shows. */
export const grantKinds = ['bonus', 'adjustment'] as const;

/** The most credits that one operator can give one account on a day (UTC). */
export const grantLimit = 10_000;

/** The most credits that one operator can give all accounts together on a day (UTC). */
export const operatorGrantLimit = 50_000;
