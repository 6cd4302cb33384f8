/** How often a property runs: `MODEL_RUNS` sets the number of a long run, and `MODEL_SEED` repeats a failure. */
const { CI, MODEL_RUNS, MODEL_SEED } = process.env;

/** CI has no time for more than the first half, which is the same in each run; a run by hand tries others. */
const shortOf = (few: number): number => (CI ? Math.ceil(few / 2) : few);

export const modelRuns = (few: number): { readonly numRuns: number; readonly seed?: number } => ({
  numRuns: Number(MODEL_RUNS ?? shortOf(few)),
  ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
});
