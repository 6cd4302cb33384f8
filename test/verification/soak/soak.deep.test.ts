/** The service under mixed load and faults; `npm run soak` is the long form, this the short one. */
import { expect, test } from 'vitest';
import { afterWarmUp, growthProblems, heapGrowth } from './memory-trend.ts';
import { soak } from './soak.ts';
import { soakSettings } from './soak-settings.ts';
import { summaryOf } from './summary.ts';

const settings = soakSettings(process.env);

/** Starting, checking and stopping come on top. */
const timeout = (settings.seconds ?? 600) * 1000 + settings.settleMs + 60_000;

/** Seconds are too short for a slope; a process that fills up is seen all the same. */
const shortHeapGrowth = 64 * 2 ** 20;

test('mixed load and faults lose nothing, charge nothing twice, leak nothing and keep the contract', {
  timeout,
}, async () => {
  const seconds = settings.seconds === undefined ? '' : `SOAK_SECONDS=${settings.seconds} `;
  const repeat = `${seconds}SOAK_SEED=${settings.seed}`;
  if (settings.isLong) process.stdout.write(`${repeat}\n`);
  const result = await soak(settings);
  if (settings.isLong) process.stdout.write(`${JSON.stringify(summaryOf(result))}\n`);

  expect(result.broken, repeat).toEqual([]);
  expect(result.snapshot.tasks.size, repeat).toBeGreaterThan(0);
  expect(Object.keys(result.dice.struck), repeat).not.toEqual([]);
  const samples = afterWarmUp(result.samples);
  if (settings.isLong) expect(growthProblems(samples), repeat).toEqual([]);
  else expect(heapGrowth(samples), repeat).toBeLessThan(shortHeapGrowth);
});
