/** What a demo promises, and what became of each promise. */

/** Promises that every demo makes. */
type GeneralCheck = 'accepted' | 'completed' | 'authentic' | 'truthful' | 'replayed' | 'debited' | 'balanced';
/** Promises about results of a kind. */
type ResultCheck = 'playable' | 'viewable' | 'fulfilled';

export type CheckName = GeneralCheck | ResultCheck;

/** A sentence for each, in the order in which they are shown. */
export type Promises = Readonly<Record<GeneralCheck, string> & Partial<Record<ResultCheck, string>>>;

export interface CheckResult {
  /** The promise. */
  readonly sentence: string;
  /** Why it is not true: empty when it is, absent when the demo ended before. */
  readonly problems?: readonly string[];
}

export interface Checks {
  /** Settles a promise: it is true when there are no problems. @throws {Error} for an unknown promise. */
  report(name: CheckName, problems: readonly string[]): void;
  /** All promises, in order. */
  results(): readonly CheckResult[];
}

export function checks(promises: Promises): Checks {
  const reported = new Map<string, readonly string[]>();
  return {
    report(name, problems) {
      if (!promises[name]) throw new Error(`no promise is called "${name}"`);
      reported.set(name, problems);
    },
    results: () =>
      Object.entries(promises).map(([name, sentence]) => {
        const problems = reported.get(name);
        return { sentence, ...(problems && { problems }) };
      }),
  };
}

/** The problem, in a list, if there is one. */
export const unless = (isTrue: boolean, problem: string): readonly string[] => (isTrue ? [] : [problem]);
