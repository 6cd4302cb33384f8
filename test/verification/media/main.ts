/**
 * `npm run fuzz:media`: probes 100,000 mutated files, or as many as FILES says, from the seed SEED, each within 200 ms
 * of CPU time, and refuses bombs within 300 ms.
 */
import { honestFiles, seededNumbers } from './mutated-media.ts';
import { probeBombs } from './probe-bombs.ts';
import { probeMutated } from './probe-mutated.ts';

const mostMilliseconds = 200;
const mostMegabytes = 64;
const mostBombMilliseconds = 300;

const [count, seed] = [Number(process.env.FILES ?? 100_000), Number(process.env.SEED ?? 1)];
const report = probeMutated(await honestFiles(), count, seededNumbers(seed), () => globalThis.gc?.());
const bombs = await probeBombs();
process.stdout.write(
  `${JSON.stringify({ seed, bombs, ...report, unclassified: report.unclassified.slice(0, 10) }, null, 2)}\n`,
);
const isWithin = report.mostMilliseconds <= mostMilliseconds && report.mostMegabytes <= mostMegabytes;
const areRefused = bombs.measured.length === 0 && bombs.mostMilliseconds < mostBombMilliseconds;
process.exitCode = isWithin && areRefused && report.unclassified.length === 0 ? 0 : 1;
