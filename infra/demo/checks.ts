/** The checks of a demo, and their results. */

export type CheckName =
  | 'accepted'
  | 'completed'
  | 'authentic'
  | 'truthful'
  | 'described'
  | 'replayed'
  | 'debited'
  | 'balanced';

/** A sentence for each check, in display order. */
const promises: Readonly<Record<CheckName, string>> = {
  accepted: 'Every request got a 202 response and a task of its own.',
  completed: 'Every task was completed, and its progress never decreased.',
  authentic: 'Every webhook had the right token, signature, content type and user agent.',
  truthful: 'Each webhook matches GET task.',
  described: 'Every result has the type, dimensions and duration that its request and its task state.',
  replayed: 'The repeated request got the same response, marked as a replay, and debited nothing.',
  debited: 'The ledger contains one debit for the cost of each task, and no other new rows.',
  balanced: 'The balance was the sum of the ledger before and after.',
};

export interface CheckResult {
  /** What is checked, as a sentence. */
  readonly sentence: string;
  /** Why the check failed; empty if it passed, absent if the demo ended before it. */
  readonly problems?: readonly string[];
}

export interface Checks {
  /** Records the result of a check, which passes if there are no problems. */
  report(name: CheckName, problems: readonly string[]): void;
  /** All checks, in order. */
  results(): readonly CheckResult[];
}

export function checks(): Checks {
  const reported = new Map<string, readonly string[]>();
  return {
    report(name, problems) {
      reported.set(name, problems);
    },
    results: () =>
      Object.entries(promises).map(([name, sentence]) => {
        const problems = reported.get(name);
        return { sentence, ...(problems && { problems }) };
      }),
  };
}

/** A list with the problem, unless the condition holds. */
export const unless = (isTrue: boolean, problem: string): readonly string[] => (isTrue ? [] : [problem]);
