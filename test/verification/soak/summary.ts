/** A soak in one line of JSON. */
import { percentile } from '../../../bench/percentile.ts';
import { afterWarmUp, heapGrowth, trendOf } from './memory-trend.ts';
import type { SoakResult } from './soak.ts';

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const rounded = (value: number): number => Math.round(value * 10) / 10;

function endsOf({ snapshot }: SoakResult): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { status, errorCode } of snapshot.tasks.values()) {
    const end = errorCode ?? status;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

function webhooksOf({ backEnd, snapshot }: SoakResult) {
  const asked = [...snapshot.tasks.values()].filter(({ callbackUrl }) => callbackUrl !== undefined);
  const posts = [...backEnd.posts.values()].reduce((sum, { length }) => sum + length, 0);
  const settledAs = (status: string) => asked.filter(({ webhookStatus }) => webhookStatus === status).length;
  return { asked: asked.length, delivered: settledAs('delivered'), failed: settledAs('failed'), attempts: posts };
}

export function summaryOf(result: SoakResult): object {
  const { aws, dice, engine, requester, settings } = result;
  const samples = afterWarmUp(result.samples);
  const { latenciesMs } = requester;
  const heap = trendOf(samples, ({ heapUsed }) => heapUsed);
  const rss = trendOf(samples, (sample) => sample.rss);
  const files = trendOf(samples, ({ openFiles }) => openFiles);
  return {
    seconds: rounded(result.loadSeconds),
    settleSeconds: rounded(result.settleSeconds),
    seed: settings.seed,
    requests: { total: latenciesMs.length, ...requester.byStatus },
    rejections: requester.byCode,
    outsideContract: requester.objections.length,
    tasks: { total: result.snapshot.tasks.size, ...endsOf(result) },
    engine: engine.outcomes,
    aws: { calls: aws.calls, faults: dice.struck, exhausted: dice.exhausted.length, accidents: aws.accidents },
    webhooks: webhooksOf(result),
    latencyMs: { p50: rounded(percentile(latenciesMs, 0.5)), p99: rounded(percentile(latenciesMs, 0.99)) },
    memoryMb: {
      heap: { first: megabytes(heap.first), last: megabytes(heap.last) },
      rss: { first: megabytes(rss.first), last: megabytes(rss.last) },
      unaccountedGrowth: rounded(heapGrowth(samples) / 2 ** 20),
    },
    openFiles: { before: result.openFilesBefore, ...files, after: result.openFilesAfter },
  };
}
