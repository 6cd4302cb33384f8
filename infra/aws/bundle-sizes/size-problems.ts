/** Compares the sizes of bundles with the recorded ones: a bundle must not grow, or stay recorded as larger than it is. */

/** Bundle sizes in bytes, by the function's name. */
export type BundleSizes = Readonly<Record<string, number>>;

/** Differences in size that are smaller than this are ignored: renaming a variable is enough to cause one. */
export const toleratedBytes = 1024;

const update = 'run "npm run bundle-sizes"';

/** One sentence for each bundle whose size is not the recorded one. */
export function sizeProblems(recorded: BundleSizes, actual: BundleSizes): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])].toSorted();
  return names.flatMap((name) => {
    const [before, after] = [recorded[name], actual[name]];
    if (before === undefined) return `${name} is not recorded: ${update}.`;
    if (after === undefined) return `${name} no longer exists: ${update}.`;
    if (after > before + toleratedBytes) {
      return `${name} grew from ${before} to ${after} bytes: leave out what it does not use, or ${update} and say in the commit why.`;
    }
    return after < before - toleratedBytes ? `${name} shrank from ${before} to ${after} bytes: ${update}.` : [];
  });
}
