/** `npm run bundle-sizes`: records the sizes of the bundles that the functions have now. */
import { writeFileSync } from 'node:fs';
import { projectBundles } from '../bundles.ts';

const { functions } = await projectBundles();
const sizes = Object.entries(functions).map(([name, { bytes }]) => [name, bytes] as const);
const sorted = sizes.toSorted(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(
  new URL('bundle-sizes.json', import.meta.url),
  `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
);
process.stdout.write(`infra/aws/bundle-sizes/bundle-sizes.json has the sizes of ${sorted.length} bundles.\n`);
