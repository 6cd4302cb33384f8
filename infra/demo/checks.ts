/** The checks of a demo, and their results. */

/** Checks that every demo of generations makes. */
type GeneralCheck = 'accepted' | 'completed' | 'authentic' | 'truthful' | 'replayed' | 'debited' | 'balanced';
/** Checks about results of a kind. */
type ResultCheck = 'playable' | 'viewable' | 'fulfilled';
/** Checks about orders. */
type BillingCheck =
  | 'ordered'
  | 'settled'
  | 'undecided'
  | 'protected'
  | 'credited'
  | 'subscribed'
  | 'exclusive'
  | 'renewed';

export type CheckName = GeneralCheck | ResultCheck | BillingCheck;

/** A sentence for each, in display order. */
export type Promises = Readonly<Partial<Record<CheckName, string>>>;
export type GenerationPromises = Readonly<Record<GeneralCheck, string> & Partial<Record<ResultCheck, string>>>;

export interface CheckResult {
  /** What is checked. */
  readonly sentence: string;
  /** Why the check failed: empty if it passed, absent if the demo ended before it. */
  readonly problems?: readonly string[];
}

export interface Checks {
  /** Records the result of a check, which passes if there are no problems. @throws {Error} for an unknown check. */
  report(name: CheckName, problems: readonly string[]): void;
  /** All checks, in order. */
  results(): readonly CheckResult[];
}

export function checks(promises: Promises): Checks {
  const reported = new Map<string, readonly string[]>();
  return {
    report(name, problems) {
      if (!promises[name]) throw new Error(`there is no check "${name}"`);
      reported.set(name, problems);
    },
    results: () =>
      Object.entries(promises).map(([name, sentence]) => {
        const problems = reported.get(name);
        return { sentence, ...(problems && { problems }) };
      }),
  };
}

/** A list with the problem, if there is one. */
export const unless = (isTrue: boolean, problem: string): readonly string[] => (isTrue ? [] : [problem]);
