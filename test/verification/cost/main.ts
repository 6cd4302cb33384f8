/** `npm run cost`: what a task costs at AWS list prices, from its measured usage in the local service. */
import { availableParallelism, loadavg } from 'node:os';
import {
  assumptionTexts,
  openSeconds,
  videoJobSeconds,
  voiceChangeJobSeconds,
} from '../../../bench/cost/assumptions.ts';
import { verdictOn } from '../../../bench/cost/bill.ts';
import { clipAssumptions, clipTable } from '../../../bench/cost/clip-ways.ts';
import { costOptions } from '../../../bench/cost/cost-options.ts';
import {
  billIn,
  billTable,
  functionTable,
  kindTable,
  type Measurement,
  usageTable,
} from '../../../bench/cost/cost-tables.ts';
import { notCountedTexts } from '../../../bench/cost/not-counted.ts';
import { prices } from '../../../bench/cost/prices.ts';
import type { Scenario } from '../../../bench/cost/task-record.ts';
import { pollsByHints } from '../../../bench/polling/polls-by-hints.ts';
import { textTable } from '../../../bench/text-table.ts';
import { countLogs } from './function-meter.ts';
import { measureTasks } from './measure-tasks.ts';

/** What functions write to the log is counted as on AWS. */
Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_DEV: 'false' });
countLogs();

/**
 * The most that 1,000 speech tasks may cost with engines that call back, in dollars, by the duration of a job. Videos
 * have no such limit, because most of their cost is storage.
 */
const targets: Readonly<Record<number, number>> = { 30: 0.16, 90: 0.2 };

const tasks = 3;

/** A job of more than a minute is polled once even if the engine calls back. */
const scenarios: readonly Scenario[] = [
  { kind: 'speech', completion: 'callback', jobSeconds: 30, hasWebhook: false },
  { kind: 'speech', completion: 'callback', jobSeconds: 30, hasWebhook: true },
  { kind: 'speech', completion: 'callback', jobSeconds: 90, hasWebhook: false },
  { kind: 'speech', completion: 'polling', jobSeconds: 60, hasWebhook: false },
  { kind: 'voice-change', completion: 'callback', jobSeconds: voiceChangeJobSeconds, hasWebhook: false },
];

const videoScenarios = (['creative', 'ugc', 'imitate', 'studio'] as const).map(
  (kind): Scenario => ({ kind, completion: 'callback', jobSeconds: videoJobSeconds[kind], hasWebhook: false }),
);

/**
 * How often a client without a webhook polls if it follows the `Retry-After` headers. A task stays open for a little
 * longer than its engine works.
 */
const pollsOf = ({ hasWebhook, jobSeconds }: Scenario): number =>
  hasWebhook ? 0 : pollsByHints(jobSeconds + openSeconds);

const print = (text: string): void => void process.stdout.write(`${text}\n\n`);

function pricesText(): string {
  const all = Object.values(prices);
  const remembered = all.filter(({ found }) => found === 'from memory').length;
  return [
    'Prices are those of us-east-1, on demand, without free tier: bench/cost/prices.ts.',
    `Of ${all.length}, ${remembered} are from memory, the rest from third-party lists: compare them with AWS's pages first.`,
  ].join('\n');
}

function verdictText(measurement: Measurement): string {
  const { jobSeconds, hasWebhook } = measurement.scenario;
  const target = targets[jobSeconds] ?? Number.NaN;
  const verdict = verdictOn(billIn(measurement), billIn(measurement, 1), target);
  return `1,000 tasks of speech, an engine that calls back, jobs of ${jobSeconds} s, ${hasWebhook ? 'a webhook' : 'polls'}: ${verdict}.`;
}

async function main(): Promise<void> {
  const { polls } = costOptions(process.argv.slice(2));
  const measurements: Measurement[] = [];
  for (const scenario of [...scenarios, ...videoScenarios])
    measurements.push({
      scenario,
      records: await measureTasks({ scenario, polls: polls ?? pollsOf(scenario), tasks }),
    });
  const speech = measurements.filter(({ scenario: { kind } }) => kind === 'speech');
  const machine = `${availableParallelism()} cores with a load of ${loadavg()[0]?.toFixed(1)}`;
  print(
    `${tasks} tasks of speech for each kind of engine, of a changed voice and of each kind of video, after a warm-up task; ${machine}`,
  );
  print([...assumptionTexts, pricesText()].join('\n'));
  print(textTable(usageTable(measurements, polls)));
  print(textTable(functionTable(measurements)));
  print(textTable(billTable(measurements)));
  print(textTable(kindTable(measurements)));
  print([...clipAssumptions, '', textTable(clipTable())].join('\n'));
  print(
    speech
      .filter(({ scenario: { completion } }) => completion === 'callback')
      .map(verdictText)
      .join('\n'),
  );
  print(['Not included:', ...notCountedTexts.map((text) => `- ${text}`)].join('\n'));
}

// Exits in an orderly way on a signal, because only that stops the database.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
