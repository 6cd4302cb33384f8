/** Sends callbacks about jobs: signed, in order, and retried. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../shared/platform/clock.ts';
import type { Job, JobReport } from './job.ts';

interface CallbackSenderOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly report: (job: Job) => JobReport;
}

export interface CallbackSender {
  /** Reports on a job until it ends; stops immediately if the job is canceled. */
  follow(job: Job): void;
  /** Drops all unsent callbacks and resolves when none is being sent. */
  close(): Promise<void>;
}

const betweenReportsMs = 500;
const retryDelaysMs = [1000, 2000, 4000, 8000];
const requestTimeoutMs = 10_000;

const pause = (milliseconds: number, signals: AbortSignal[]) =>
  sleep(milliseconds, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);

export const callbackSender = ({ key, clock, report }: CallbackSenderOptions): CallbackSender => {
  const closing = new AbortController();
  const following = new Set<Promise<void>>();

  const arrives = async (url: string, body: string, signal: AbortSignal): Promise<boolean> => {
    const timestamp = Math.floor(clock.now() / 1000).toString();
    const headers = {
      'Content-Type': 'application/json',
      'X-Engine-Timestamp': timestamp,
      'X-Engine-Signature': createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex'),
    };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };

  /** Sends one request at a time, always with the latest state, so that nothing can arrive after the final report. */
  const send = async (job: Job, url: string) => {
    const signal = AbortSignal.any([closing.signal, job.stop.signal]);
    let arrived = '';
    let failures = 0;
    let endSeen = false;
    while (!signal.aborted) {
      const ended = job.over.signal.aborted;
      if (ended && !endSeen) failures = 0;
      endSeen = ended;
      const body = JSON.stringify(report(job));
      if (body !== arrived) {
        if (await arrives(url, body, signal)) [arrived, failures] = [body, 0];
        else failures += 1;
      }
      if (ended && (body === arrived || failures > retryDelaysMs.length)) return;
      const delayMs = failures === 0 ? betweenReportsMs : (retryDelaysMs[failures - 1] ?? 8000);
      await pause(delayMs, ended ? [signal] : [signal, job.over.signal]);
    }
  };

  return {
    follow(job) {
      if (!job.callbackUrl) return;
      const sending = send(job, job.callbackUrl).finally(() => following.delete(sending));
      following.add(sending);
    },
    async close() {
      closing.abort();
      await Promise.all(following);
    },
  };
};
