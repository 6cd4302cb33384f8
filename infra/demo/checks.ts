/** What the demo promises, and what became of each promise. */

const promises = {
  accepted: 'Both requests were answered with 202 and a task each.',
  completed: 'Both tasks were completed, and their progress never went back.',
  authentic: 'Both webhooks came with the right token, signature, content type and user agent.',
  truthful: 'Each webhook says what GET task says.',
  playable: 'Both results are MP3 files, different, and as long as their task says.',
  replayed: 'The repeated request got the same answer, marked as a replay, and debited nothing.',
  debited: 'The ledger has gained the two debits, of what the tasks cost, and nothing else.',
  balanced: 'The balance was the sum of the ledger, before and after.',
} as const;

export type CheckName = keyof typeof promises;

export interface CheckResult {
  /** The promise. */
  readonly sentence: string;
  /** Why it is not true: empty when it is, absent when the demo ended before. */
  readonly problems?: readonly string[];
}

export interface Checks {
  /** Settles a promise: it is true when there are no problems. */
  report(name: CheckName, problems: readonly string[]): void;
  /** All promises, in order. */
  results(): readonly CheckResult[];
}

export function checks(): Checks {
  const reported = new Map<CheckName, readonly string[]>();
  return {
    report(name, problems) {
      reported.set(name, problems);
    },
    results: () =>
      (Object.keys(promises) as CheckName[]).map((name) => {
        const problems = reported.get(name);
        return { sentence: promises[name], ...(problems && { problems }) };
      }),
  };
}

/** The problem, in a list, if there is one. */
export const unless = (isTrue: boolean, problem: string): readonly string[] => (isTrue ? [] : [problem]);
