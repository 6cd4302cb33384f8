/** How often the workflow asks an engine about a job, by the retries that the state machine's definition has. */
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

function* moments({ reports }: Scenario): Generator<number> {
  const { TimeoutSeconds, Retry } = (JSON.parse(readFileSync(definition, 'utf8')) as Definition).States.AskEngine;
  const error = reports === 'asking' ? 'StillRunning' : 'States.Timeout';
  const retry = Retry.find(({ ErrorEquals }) => ErrorEquals.includes(error));
  if (!retry) throw new Error(`the state AskEngine is not tried again on ${error}`);
  // An engine that calls back is asked only when the state has waited in vain.
  const waitSeconds = reports === 'asking' ? 0 : TimeoutSeconds;
  const { IntervalSeconds, BackoffRate, MaxDelaySeconds = Number.POSITIVE_INFINITY } = retry;
  let at = 0;
  for (let tries = 0; ; tries += 1) {
    at += waitSeconds + Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** tries);
    yield at;
  }
}

/** How often it is asked beyond its submission, when asking and answering take no time. */
export function asksOf(scenario: Scenario): number {
  let asks = 0;
  for (const at of moments(scenario)) {
    // Who must be asked tells of the end only at the first question after it; who calls back is not asked then.
    if (at >= scenario.jobSeconds) return scenario.reports === 'asking' ? asks + 1 : asks;
    asks += 1;
  }
  return asks;
}
