/** Returns the problem if the condition does not hold, otherwise nothing. */
export const unless = (isTrue: boolean, problem: string): readonly string[] => (isTrue ? [] : [problem]);
