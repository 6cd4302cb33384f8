/**
 * An engine with the offline engine's protocol whose jobs end after a number of questions instead of a time, so that a
 * run need not last as long as a job, and is the same each time.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../shared/platform/clock.ts';
import { type Answer, jsonAnswer, type LocalServer, startLocalServer } from './local-server.ts';

export interface PacedEngineOptions {
  readonly key: string;
  /** After so many questions a job is done, at the earliest. */
  readonly asks: number;
  readonly answerMs: number;
  readonly resultBytes: number;
}

export interface PacedEngine extends LocalServer {
  /** Lets a task's job come to its end. */
  release(taskId: string): void;
}

interface Job {
  readonly reference: string;
  readonly callsBack: boolean;
  readonly asked: PromiseWithResolvers<void>;
  questions: number;
}

const newJob = (reference: string, callsBack: boolean): Job => ({
  reference,
  callsBack,
  asked: Promise.withResolvers<void>(),
  questions: 0,
});

/** Twice in a job's life: when it begins and when it is done. */
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
  if (!response.ok) throw new Error(`the service answered ${response.status} to an engine's callback`);
}

/** Nobody waits for a callback; without it the run does not come to its end, and this is why. */
const report = (error: Error): void => void process.stderr.write(`The engine could not call back: ${error.message}\n`);

const running = ({ reference, questions }: Job): object => ({
  reference,
  status: 'running',
  progress: Math.min(99, questions * 10),
});

/** One gate for each task, whoever comes to it first: who opens it or who waits at it. */
function gates() {
  const known = new Map<string, PromiseWithResolvers<void>>();
  return (taskId: string): PromiseWithResolvers<void> => {
    const gate = known.get(taskId) ?? Promise.withResolvers<void>();
    known.set(taskId, gate);
    return gate;
  };
}

/** What becomes of jobs; `url` is where their files are. */
function jobsOf({ key, asks, answerMs }: PacedEngineOptions, url: () => string, released: ReturnType<typeof gates>) {
  const jobs = new Map<string, Job>();

  const done = ({ reference }: Job): object => ({
    reference,
    status: 'done',
    outputs: [{ url: `${url()}/v1/files/${reference}.mp3`, contentType: 'audio/mpeg', durationSec: 15 }],
  });

  async function follow(job: Job, callbackUrl: string, taskId: string): Promise<void> {
    // Once the answer is on its way: a service that hears of a job before it was accepted has more to do.
    await sleep(answerMs);
    await callBack(callbackUrl, key, running(job));
    await Promise.all([job.asked.promise, released(taskId).promise]);
    await callBack(callbackUrl, key, done(job));
  }

  return {
    submit(body: string): Answer {
      const { id, callbackUrl } = JSON.parse(body) as { id: string; callbackUrl?: string };
      const job = newJob(`job-${id}`, callbackUrl !== undefined);
      if (asks === 0) job.asked.resolve();
      jobs.set(job.reference, job);
      if (callbackUrl) follow(job, callbackUrl, id).catch(report);
      return jsonAnswer(202, { reference: job.reference, status: 'queued', progress: 0 });
    },
    ask(reference: string): Answer {
      const job = jobs.get(reference);
      if (!job) return { status: 404 };
      job.questions += 1;
      if (job.questions >= asks) job.asked.resolve();
      return jsonAnswer(200, !job.callsBack && job.questions >= asks ? done(job) : running(job));
    },
  };
}

/** MPEG frames of silence, 128 kbit/s at 44.1 kHz: results are recognized by their content. */
function silence(bytes: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_64);
  return Buffer.alloc(bytes, frame);
}

export async function startPacedEngine(options: PacedEngineOptions): Promise<PacedEngine> {
  const released = gates();
  const file = silence(options.resultBytes);
  const jobs = jobsOf(options, () => server.url, released);
  const server: LocalServer = await startLocalServer(async ({ url = '' }, body) => {
    await sleep(options.answerMs);
    if (url === '/v1/jobs') return jobs.submit(body);
    if (url.startsWith('/v1/files/')) return { status: 200, contentType: 'audio/mpeg', body: file };
    return jobs.ask(url.split('/').at(-1) ?? '');
  });
  return { ...server, release: (taskId) => released(taskId).resolve() };
}
