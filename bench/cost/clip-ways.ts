/**
 * Computes from the design, without measurements, what the clips of a half-hour video cost with each engine that can
 * make them.
 */
import { memoryMbOf } from '../../infra/hosting.ts';
import { clipCountOf } from '../../shared/contracts/generate-cortes.ts';
import { resultsRetentionDays } from '../../shared/contracts/limits.ts';
import type { TextTable } from '../text-table.ts';
import { minBilledMs, videoBytesPerSecond } from './assumptions.ts';
import { dollarsFor } from './bill.ts';
import { clipPrices, type Price, prices } from './prices.ts';

const sourceMinutes = 30;
/** The size of a Full HD video at 4 Mbit/s. */
const sourceGigabytes = 0.9;
const clipSecondsMean = 40;
const clips = clipCountOf(sourceMinutes * 60);

/** The number of ranges of 64 MiB, each copied by its own invocation. */
const parts = Math.ceil((sourceGigabytes * 1e9) / (64 * 2 ** 20));
const copiedMegabytesPerSecond = 40;

/**
 * Language model tokens: 150 words a minute with 1.5 tokens each, 10% counted twice because windows overlap, and the
 * answers.
 */
const tokens = sourceMinutes * 150 * 1.5 * 1.1 + 3000;

/**
 * State transitions for planning, choices, transcription, ranking, maps and the report, without those of ranges and
 * clips.
 */
const fixedTransitions = 9;
/** The jobs of a clip: cut, crop and poster. */
const jobsPerClip = 3;
/** Billed minutes per minute of HD video at up to 30 frames per second. */
const normalizedMinutesPerMinute = 2;

const daysPerMonth = 30;
const clipGigabytes = (clips * clipSecondsMean * videoBytesPerSecond) / 1e9;

type Item = readonly [price: Price, amount: number];

/** Costs shared by all variants, because results are always stored. */
const stored: readonly Item[] = [
  [prices.storedGigabyteMonths, (clipGigabytes * resultsRetentionDays) / daysPerMonth],
  [prices.storageWrites, 2 * clips],
];

/** The cost of the workflow: each job has one invocation to submit it and one to record it. */
const pipeline = (jobs: number): readonly Item[] => {
  const gigabytes = memoryMbOf('askEngine') / 1024;
  const copyingSeconds = (sourceGigabytes * 1000) / copiedMegabytesPerSecond;
  const steps = fixedTransitions + 2 * jobs;
  return [
    [prices.stateTransitions, fixedTransitions + parts + jobs],
    [prices.lambdaRequests, steps + parts],
    [prices.lambdaGigabyteSeconds, gigabytes * (copyingSeconds + (steps * 10 * minBilledMs) / 1000)],
    [prices.storageWrites, parts + 2 + jobs],
    [prices.storedGigabyteMonths, sourceGigabytes / daysPerMonth],
    [clipPrices.rankedTokens, tokens],
  ];
};

interface Way {
  readonly name: string;
  readonly items: readonly Item[];
  /** The upper bound of the quantities, if the provider works as `because` says. */
  readonly atMost?: { readonly items: readonly Item[]; readonly because: string };
}

const allJobs = jobsPerClip * clips + 1;

export const clipWays: readonly Way[] = [
  { name: 'clip service, Vizard', items: [...stored, [clipPrices.vizardMinutes, sourceMinutes]] },
  {
    name: 'own pipeline, fal.ai',
    items: [
      ...stored,
      ...pipeline(allJobs),
      [clipPrices.falTranscribedMinutes, sourceMinutes],
      [clipPrices.falCalls, jobsPerClip * clips],
      // The transcription downloads the video.
      [prices.sentGigabytes, sourceGigabytes],
    ],
    atMost: {
      items: [[prices.sentGigabytes, clips * sourceGigabytes]],
      because: 'if each cut downloads the whole video instead of the part that it needs',
    },
  },
  {
    name: 'own pipeline, AWS',
    items: [
      ...stored,
      // One job per clip cuts, crops and extracts the poster.
      ...pipeline(clips + 1),
      [clipPrices.transcribedMinutes, sourceMinutes],
      [clipPrices.convertedMinutes, (normalizedMinutesPerMinute * clips * clipSecondsMean) / 60],
    ],
  },
];

const sum = (items: readonly Item[]): number =>
  items.reduce((total, [price, amount]) => total + dollarsFor(amount, price), 0);

/** The lower and the upper bound of the cost, in dollars. */
export const costOf = ({ items, atMost }: Way): readonly [min: number, max: number] => [
  sum(items),
  sum([...items, ...(atMost?.items ?? [])]),
];

export const clipAssumptions: readonly string[] = [
  `A video of ${sourceMinutes} minutes and ${sourceGigabytes} GB, ${clips} clips of ${clipSecondsMean} s: computed, not measured.`,
  `The copy takes ${parts} parts at ${copiedMegabytesPerSecond} MB/s; the transcript has ${Math.round(tokens).toLocaleString('en-US')} tokens.`,
  'The prices of Klap were not found. The offline engine is free.',
  ...clipWays.flatMap(({ name, atMost }) => (atMost ? [`${name}: at most ${atMost.because}.`] : [])),
  ...Object.values(clipPrices).map(
    ({ service, unit, dollars, per, page, found, asOf }) =>
      `${service}: $${dollars} per ${per.toLocaleString('en-US')} ${unit} (${page}; ${found}, ${asOf}).`,
  ),
];

export function clipTable(): TextTable {
  const services = [...new Set(clipWays.flatMap(({ items }) => items.map(([{ service }]) => service)))];
  const dollars = (value: number): string => value.toFixed(4);
  const rows = services.map((service) => [
    service,
    ...clipWays.map(({ items }) => dollars(sum(items.filter(([price]) => price.service === service)))),
  ]);
  const totals = (at: 0 | 1) => clipWays.map((way) => dollars(costOf(way)[at]));
  return {
    title: `Dollars for the clips of one video of ${sourceMinutes} minutes, made by …`,
    columns: ['service', ...clipWays.map(({ name }) => name)],
    rows: [...rows, ['total, at least', ...totals(0)], ['total, at most', ...totals(1)]],
  };
}
