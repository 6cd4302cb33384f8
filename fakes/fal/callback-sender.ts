/** Sends a callback at the end of each job: signed, retried, and with the faults that the job requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallbackSigner, SignatureChoice } from './callback-signer.ts';
import type { CallbackKind } from './fal-behavior.ts';
import type { FalJob } from './fal-queue.ts';

interface CallbackSenderOptions {
  readonly signer: CallbackSigner;
  /** The pauses before the second attempt, the third, and so on. */
  readonly retryDelaysMs: readonly number[];
}

interface CallbackSender {
  send(job: FalJob): void;
  close(): Promise<void>;
}

interface Letter {
  readonly body: Readonly<Record<string, unknown>>;
  readonly signature?: Omit<SignatureChoice, 'requestId'>;
}

const requestTimeoutMs = 15_000;

const ids = (requestId: string) => ({ request_id: requestId, gateway_request_id: requestId });

const trueBody = ({ requestId, reply }: FalJob) =>
  reply && reply.status < 400
    ? { ...ids(requestId), status: 'OK', payload: reply.body }
    : { ...ids(requestId), status: 'ERROR', error: `Invalid status code: ${reply?.status}`, payload: reply?.body };

const forgedFailure = {
  status: 'ERROR',
  error: 'Invalid status code: 503',
  payload: { detail: 'Runner disconnected', error_type: 'runner_disconnected' },
};

const letters: Readonly<Record<CallbackKind, (job: FalJob) => Letter>> = {
  true: (job) => ({ body: trueBody(job) }),
  stale: (job) => ({ body: trueBody(job), signature: { ageSeconds: 600 } }),
  forged: (job) => ({ body: { ...ids(job.requestId), ...forgedFailure }, signature: { isForged: true } }),
  'without-payload': (job) => ({
    body: { ...trueBody(job), payload: null, payload_error: 'Response payload is not JSON serializable.' },
  }),
};

export const callbackSender = ({ signer, retryDelaysMs }: CallbackSenderOptions): CallbackSender => {
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();

  const arrives = async (url: string, body: string, signature: SignatureChoice): Promise<boolean> => {
    const headers = { 'Content-Type': 'application/json', ...signer.headers(body, signature) };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(requestTimeoutMs)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);

  const send = async (url: string, job: FalJob, kind: CallbackKind) => {
    const { body, signature } = letters[kind](job);
    // Forged callbacks are not retried.
    const delaysMs = kind === 'forged' || kind === 'stale' ? [] : retryDelaysMs;
    for (const delayMs of [0, ...delaysMs]) {
      if (delayMs > 0) await pause(delayMs);
      if (
        closing.signal.aborted ||
        (await arrives(url, JSON.stringify(body), { requestId: job.requestId, ...signature }))
      )
        return;
    }
  };
  const sendAll = async (url: string, job: FalJob) => {
    for (const kind of job.behavior.callbacks) await send(url, job, kind);
  };

  return {
    send(job) {
      if (!job.webhook) return;
      const sent = sendAll(job.webhook, job).finally(() => sending.delete(sent));
      sending.add(sent);
    },
    async close() {
      closing.abort();
      await Promise.all(sending);
    },
  };
};
