/**
 * `npm run bench`: polls by hints, bundle sizes, start-up times, round trips, latencies and measurements of media
 * files, each next to its lower bound.
 */
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { importTimes } from './import-times.ts';
import { latencies } from './latencies.ts';
import { mediaProbes } from './media-probes.ts';
import { pollingTable } from './polling/polls-by-hints.ts';
import { roundTrips } from './round-trips.ts';
import { textTable } from './text-table.ts';

/** The log is off, because writing it would be measured as part of the requests. */
process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';

const print = (text: string): void => void process.stdout.write(`${text}\n\n`);

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores (${model}), ${gigabytes} GB, load ${load}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

async function main(): Promise<void> {
  print(machine());
  for (const measure of [pollingTable, importTimes, roundTrips, latencies, mediaProbes])
    print(textTable(await measure()));
}

// Exits in an orderly way on a signal, because only that removes the database and the temporary folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
