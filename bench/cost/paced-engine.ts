/**
 * An engine with the offline engine's protocol whose jobs end after a number of polls instead of a time, so that runs
 * are faster than their jobs and repeatable.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../shared/platform/clock.ts';
import type { EngineResult } from './engine-results.ts';
import { jsonReply, type LocalServer, type Reply, startLocalServer } from './local-server.ts';

export interface PacedEngineOptions {
  readonly key: string;
  /** The number of polls after which a job may end. */
  readonly asks: number;
  readonly latencyMs: number;
  readonly result: EngineResult;
}

export interface PacedEngine extends LocalServer {
  /** Lets a task's job end. */
  release(taskId: string): void;
  /** The total size of all inputs that it has downloaded. */
  readonly inputBytes: number;
}

interface Job {
  readonly reference: string;
  readonly callsBack: boolean;
  readonly checked: PromiseWithResolvers<void>;
  /** Settles when the job's inputs have been downloaded. */
  readonly fetched: Promise<unknown>;
  questions: number;
}

const newJob = (reference: string, callsBack: boolean, fetched: Job['fetched']): Job => ({
  reference,
  callsBack,
  checked: Promise.withResolvers<void>(),
  fetched,
  questions: 0,
});

/** Called twice per job: when it starts and when it finishes. */
async function callBack(url: string, key: string, report: object): Promise<void> {
  const body = JSON.stringify(report);
  const seconds = String(Math.floor(systemClock.now() / 1000));
  const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
  const headers = {
    'Content-Type': 'application/json',
    'X-Engine-Timestamp': seconds,
    'X-Engine-Signature': signature,
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the service responded with ${response.status} to an engine's callback`);
}

/** Reports a failed callback, which nothing awaits: the run then hangs, and this explains why. */
const report = (error: Error): void => void process.stderr.write(`The engine's callback failed: ${error.message}\n`);

const running = ({ reference, questions }: Job): object => ({
  reference,
  status: 'running',
  progress: Math.min(99, questions * 10),
});

/** All URLs in an input, at any depth. */
function urlsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^https?:/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

async function sizeOf(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`an input could not be fetched: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

/** One gate per task, created by whichever side comes first. */
function gates() {
  const known = new Map<string, PromiseWithResolvers<void>>();
  return (taskId: string): PromiseWithResolvers<void> => {
    const gate = known.get(taskId) ?? Promise.withResolvers<void>();
    known.set(taskId, gate);
    return gate;
  };
}

/** The lifecycle of jobs; `url` is the base URL of their files. */
function jobsOf(
  { key, asks, latencyMs, result }: PacedEngineOptions,
  url: () => string,
  released: ReturnType<typeof gates>,
) {
  const jobs = new Map<string, Job>();
  let inputBytes = 0;

  async function fetchInputs(input: unknown): Promise<void> {
    const sizes = await Promise.all(urlsIn(input).map(sizeOf));
    inputBytes += sizes.reduce((sum, size) => sum + size, 0);
  }

  const done = ({ reference }: Job): object => ({
    reference,
    status: 'done',
    outputs: [{ url: `${url()}/v1/files/${reference}.${result.extension}`, contentType: result.contentType }],
  });

  async function follow(job: Job, callbackUrl: string, taskId: string): Promise<void> {
    // The callback is delayed until after the response: if it arrived before the job is accepted, it would cost the
    // service additional requests.
    await sleep(latencyMs);
    await callBack(callbackUrl, key, running(job));
    await Promise.all([job.checked.promise, job.fetched, released(taskId).promise]);
    await callBack(callbackUrl, key, done(job));
  }

  return {
    inputBytes: () => inputBytes,
    submit(body: string): Reply {
      const { id, callbackUrl, input } = JSON.parse(body) as { id: string; callbackUrl?: string; input: unknown };
      const job = newJob(`job-${id}`, callbackUrl !== undefined, fetchInputs(input));
      if (asks === 0) job.checked.resolve();
      jobs.set(job.reference, job);
      if (callbackUrl) follow(job, callbackUrl, id).catch(report);
      return jsonReply(202, { reference: job.reference, status: 'queued', progress: 0 });
    },
    ask(reference: string): Reply {
      const job = jobs.get(reference);
      if (!job) return { status: 404 };
      job.questions += 1;
      if (job.questions >= asks) job.checked.resolve();
      return jsonReply(200, !job.callsBack && job.questions >= asks ? done(job) : running(job));
    },
  };
}

export async function startPacedEngine(options: PacedEngineOptions): Promise<PacedEngine> {
  const released = gates();
  const { bytes, contentType } = options.result;
  const jobs = jobsOf(options, () => server.url, released);
  const server: LocalServer = await startLocalServer(async ({ url = '' }, body) => {
    await sleep(options.latencyMs);
    if (url === '/v1/jobs') return jobs.submit(body);
    if (url.startsWith('/v1/files/')) return { status: 200, contentType, body: bytes };
    return jobs.ask(url.split('/').at(-1) ?? '');
  });
  return {
    ...server,
    release: (taskId) => released(taskId).resolve(),
    get inputBytes() {
      return jobs.inputBytes();
    },
  };
}
