/** How often a property runs: `MODEL_RUNS` sets the number of a long run, and `MODEL_SEED` repeats a failure. */
const { MODEL_RUNS, MODEL_SEED } = process.env;

export const modelRuns = (few: number): { readonly numRuns: number; readonly seed?: number } => ({
  numRuns: Number(MODEL_RUNS ?? few),
  ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
});
