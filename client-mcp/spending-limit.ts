/** The credits that all generations of this process may spend together. */

/** Thrown for a generation that is refused because it would cost more than the limit allows. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

export interface SpendingState {
  readonly maxCredits: number;
  readonly maxCreditsPerCall: number | undefined;
  /** What accepted generations cost, with those that are being sent or whose outcome is unknown. */
  readonly used: number;
  readonly left: number;
}

export interface Reservation {
  /** Releases the reserved credits, because nothing was spent. */
  readonly release: () => void;
  /** Counts what was really spent. @returns whether that is within the limits */
  readonly settle: (credits: number) => boolean;
}

export interface SpendingLimit {
  /** Reserves the credits of one generation. @throws {LimitError} if they are more than may be spent */
  readonly reserve: (credits: number) => Reservation;
  readonly state: () => SpendingState;
}

export function spendingLimit(maxCredits: number, maxCreditsPerCall?: number): SpendingLimit {
  let used = 0;
  const isWithin = (credits: number) => credits <= (maxCreditsPerCall ?? maxCredits) && used <= maxCredits;

  return {
    reserve: (credits) => {
      if (!(credits >= 0)) throw new LimitError(`The price is not a number of credits: ${credits}.`);
      if (maxCreditsPerCall !== undefined && credits > maxCreditsPerCall)
        throw new LimitError(
          `This costs ${credits} credits, but one generation may cost at most ${maxCreditsPerCall}.`,
        );
      if (used + credits > maxCredits)
        throw new LimitError(
          `This costs ${credits} credits, but only ${maxCredits - used} of the ${maxCredits} credits that this server may spend are left.`,
        );
      used += credits;
      return {
        release: () => {
          used -= credits;
        },
        settle: (spent) => {
          used += spent - credits;
          return isWithin(spent);
        },
      };
    },
    state: () => ({ maxCredits, maxCreditsPerCall, used, left: Math.max(0, maxCredits - used) }),
  };
}
