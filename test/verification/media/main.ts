/**
 * `npm run fuzz:media`: measures 100,000 mutated media files (the variable FILES sets another number) from the seed
 * SEED. Each may take at most 200 ms of CPU time.
 */
import { seededNumbers } from '../../support/seeded-numbers.ts';
import { honestFiles } from './mutated-media.ts';
import { probeMutated } from './probe-mutated.ts';

const maxMilliseconds = 200;
const maxMegabytes = 64;

const [count, seed] = [Number(process.env.FILES ?? 100_000), Number(process.env.SEED ?? 1)];
const report = probeMutated(await honestFiles(), count, seededNumbers(seed), () => globalThis.gc?.());
process.stdout.write(
  `${JSON.stringify({ seed, ...report, unclassified: report.unclassified.slice(0, 10) }, null, 2)}\n`,
);
const isWithin = report.maxMilliseconds <= maxMilliseconds && report.maxMegabytes <= maxMegabytes;
process.exitCode = isWithin && report.unclassified.length === 0 ? 0 : 1;
