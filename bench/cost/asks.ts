/** Computes how often the workflow polls an engine job, from the retries in the state machine's definition. */
import { readFileSync } from 'node:fs';
import type { Scenario } from './task-record.ts';

interface Retry {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds: number;
  readonly BackoffRate: number;
  readonly MaxDelaySeconds?: number;
}

interface Definition {
  readonly States: { readonly AskEngine: { readonly TimeoutSeconds: number; readonly Retry: readonly Retry[] } };
}

const definition = new URL('../../state-machines/generate.asl.json', import.meta.url);

type Job = Pick<Scenario, 'completion' | 'jobSeconds'>;

function* moments({ completion }: Job): Generator<number> {
  const { TimeoutSeconds, Retry } = (JSON.parse(readFileSync(definition, 'utf8')) as Definition).States.AskEngine;
  const error = completion === 'polling' ? 'StillRunning' : 'States.Timeout';
  const retry = Retry.find(({ ErrorEquals }) => ErrorEquals.includes(error));
  if (!retry) throw new Error(`the state AskEngine is not retried on ${error}`);
  // If the engine calls back, it is polled only when no callback has arrived in time.
  const waitSeconds = completion === 'polling' ? 0 : TimeoutSeconds;
  const { IntervalSeconds, BackoffRate, MaxDelaySeconds = Number.POSITIVE_INFINITY } = retry;
  let at = 0;
  for (let tries = 0; ; tries += 1) {
    at += waitSeconds + Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** tries);
    yield at;
  }
}

/** The number of polls after the submission, if requests take no time. */
export function asksOf(job: Job): number {
  let asks = 0;
  for (const at of moments(job)) {
    // With polling, one more poll is needed after the job's end; an engine that calls back needs none.
    if (at >= job.jobSeconds) return job.completion === 'polling' ? asks + 1 : asks;
    asks += 1;
  }
  return asks;
}
