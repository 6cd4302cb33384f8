/** An engine that produces fixed files, and misbehaves in every possible way with fixed probabilities. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../support/chance.ts';
import {
  type ScriptedEngine,
  type ScriptedJob,
  type ScriptedResponse,
  scriptedEngine,
} from '../../support/scripted-engine.ts';

/** What becomes of a job; by how often. */
const outcomes = {
  done: 60,
  /** Reports progress first. */
  'done with progress': 10,
  /** The report arrives before the response to the submission. */
  'done at once': 3,
  'reported twice': 5,
  /** A sender without the key reports an end first. */
  'forged first': 4,
  /** Reports that it is done, and then that it failed. */
  'taken back': 2,
  rejected: 5,
  failed: 5,
  /** Ends, and reports it only when it is polled. */
  'callback lost': 3,
  /** Forgets the job without a report, and accepts it again. */
  'job lost': 1,
  /** Cannot be reached at the first attempt. */
  'out of order': 2,
} as const;

type Outcome = keyof typeof outcomes;

export interface SoakEngine {
  readonly url: string;
  readonly key: string;
  /** How many jobs met which outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Forged reports that were taken for true. */
  readonly forgedAccepted: readonly string[];
  close(): Promise<void>;
}

const key = 'soak-engine-key';

/** A text that begins with this keeps the engine busy for so long, so that slots fill up. */
export const slowMark = 'devagar';
const slowMs = { from: 1500, to: 2500 };
const jobMs = { from: 5, to: 300 };

/** As engines do: a report that met an internal error is repeated, and finally abandoned. */
const reportTries = 4;
const betweenTriesMs = 300;

interface EngineState {
  readonly engine: ScriptedEngine;
  readonly chance: Chance;
  readonly outcomeOf: Map<string, Outcome>;
  /** When each job ends, in terms of `performance.now()`. */
  readonly endOf: Map<string, number>;
  readonly forgedAccepted: string[];
}

const isFailure = (outcome: Outcome | undefined): boolean => outcome === 'failed';

const reportOfEnd = ({ engine, outcomeOf }: EngineState, job: ScriptedJob): object =>
  isFailure(outcomeOf.get(job.id))
    ? engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } })
    : engine.done(job);

async function sendReport({ engine }: EngineState, job: ScriptedJob, report: object): Promise<void> {
  for (let tries = 1; tries <= reportTries; tries += 1) {
    const status = await engine.callBack(job, report).catch(() => 0);
    if (status > 0 && status < 500) return;
    await sleep(betweenTriesMs * tries);
  }
}

async function forge(state: EngineState, job: ScriptedJob): Promise<void> {
  const { engine, forgedAccepted } = state;
  const report = engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } });
  const status = await engine.callBack(job, report, '0'.repeat(64)).catch(() => undefined);
  if (status !== undefined && status !== 401) forgedAccepted.push(`${status} for ${job.id}`);
}

/** Every report that the engine sends unasked about an accepted job. */
async function speak(state: EngineState, job: ScriptedJob, outcome: Outcome): Promise<void> {
  const { engine } = state;
  const leftMs = () => Math.max(0, (state.endOf.get(job.id) ?? 0) - performance.now());
  if (outcome === 'done with progress') {
    await sleep(leftMs() / 2);
    await sendReport(state, job, engine.report(job, 'running', { progress: 50 }));
  }
  if (outcome === 'forged first') await forge(state, job);
  await sleep(leftMs());
  if (outcome === 'callback lost' || outcome === 'job lost') return;
  await sendReport(state, job, reportOfEnd(state, job));
  if (outcome === 'reported twice') await sendReport(state, job, reportOfEnd(state, job));
  if (outcome === 'taken back')
    await sendReport(state, job, engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } }));
}

async function submit(state: EngineState, job: ScriptedJob): Promise<ScriptedResponse> {
  const { chance, endOf, engine, outcomeOf } = state;
  const known = outcomeOf.get(job.id);
  const outcome = known ?? chance.weighted(outcomes);
  outcomeOf.set(job.id, outcome);
  if (outcome === 'rejected') return { status: 422, body: { error: { code: 'CONTENT_REJECTED' } } };
  if (!known) {
    const { from, to } = String(job.input.text).startsWith(slowMark) ? slowMs : jobMs;
    endOf.set(job.id, performance.now() + chance.between(from, to));
    if (outcome === 'out of order') return { status: 503, body: {} };
  }
  const isFirst = known === undefined || (outcome === 'out of order' && job.submissions === 2);
  if (outcome === 'done at once' && isFirst) await sendReport(state, job, engine.done(job));
  else if (isFirst) void speak(state, job, outcome);
  return { status: 202, body: engine.report(job, 'queued') };
}

function check(state: EngineState, job: ScriptedJob): ScriptedResponse {
  const { endOf, engine, outcomeOf } = state;
  const outcome = outcomeOf.get(job.id);
  if (outcome === 'job lost' && job.submissions === 1) return { status: 404, body: {} };
  const isOver = outcome === 'done at once' || performance.now() >= (endOf.get(job.id) ?? 0);
  return { status: 200, body: isOver ? reportOfEnd(state, job) : engine.report(job, 'running', { progress: 10 }) };
}

export async function soakEngine(chance: Chance): Promise<SoakEngine> {
  const engine = await scriptedEngine(key);
  const state: EngineState = { engine, chance, outcomeOf: new Map(), endOf: new Map(), forgedAccepted: [] };
  engine.play({ submit: (job) => submit(state, job), check: (job) => check(state, job) });
  return {
    url: engine.url,
    key,
    get outcomes() {
      const counts: Record<string, number> = {};
      for (const outcome of state.outcomeOf.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
      return counts;
    },
    forgedAccepted: state.forgedAccepted,
    close: () => engine.close(),
  };
}
