/** Adapter to the offline engine, whose protocol offline-engine/offline-engine.ts describes. */
import type { Clock } from '../../platform/clock.ts';
import type { Engine, EngineAcceptance, EngineJob, EngineOutcome } from '../engine.ts';
import { downloadOutput, withRelativeOutputs } from './download-output.ts';
import { failed, parseJobReport, parseRejection, stateOf } from './engine-job-report.ts';
import { type EngineRequest, engineRequests, type RequestEngine, unexpectedResponse } from './engine-request.ts';
import { isSignedCallback } from './signed-callback.ts';

const pathOf = (reference: string) => `v1/jobs/${encodeURIComponent(reference)}`;

type Completion = EngineAcceptance['completion'];

export interface OfflineEngineAccess {
  /** The engine's base URL; requests go nowhere else. */
  readonly url: string;
  /** The key is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  readonly clock: Clock;
  /** With `polling`, the engine gets no callback URL. Default: `callback`. */
  readonly completion?: Completion;
}

/** Sends a request and reads the response completely, because an unread body would keep its connection open. */
const ask = async (request: RequestEngine, question: EngineRequest) => {
  const response = await request(question);
  return { status: response.status, text: await response.text() };
};

const jobIn = (text: string) => {
  const job = parseJobReport(text);
  if (!job) throw new Error('the offline engine responded with something that is not a job');
  return job;
};

const submit = async (
  { accountId: group, taskId, taskType, input, callbackUrl }: EngineJob,
  completion: Completion,
  base: URL,
  request: RequestEngine,
): Promise<EngineAcceptance | EngineOutcome> => {
  const order = { id: taskId, group, operation: taskType, input, ...(completion === 'callback' && { callbackUrl }) };
  const { status, text } = await ask(request, { path: 'v1/jobs', method: 'POST', body: order });
  if (status === 422) return failed(parseRejection(text));
  if (status !== 202) throw unexpectedResponse('a submission', status);
  const job = jobIn(text);
  const state = withRelativeOutputs(stateOf(job), base);
  // The job was submitted earlier and has ended; its callback may be lost, so the response is the outcome.
  if (state.status === 'done' || state.status === 'failed') return state;
  return { status: 'accepted', reference: job.reference, completion };
};

/**
 * Creates the engine. Its functions throw an Error if the offline engine cannot be reached within 10 s or violates its
 * protocol.
 */
export const offlineEngine = ({ url, key, clock, completion = 'callback' }: OfflineEngineAccess): Engine => {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);
  const request = engineRequests(base, key);

  return {
    submit: (job) => submit(job, completion, base, request),

    async check(reference) {
      const { status, text } = await ask(request, { path: pathOf(reference) });
      if (status === 404) return { status: 'lost' };
      if (status !== 200) throw unexpectedResponse('a status request', status);
      return withRelativeOutputs(stateOf(jobIn(text)), base);
    },

    async cancel(reference) {
      const { status } = await ask(request, { path: `${pathOf(reference)}/cancel`, method: 'POST' });
      if (status !== 200 && status !== 404) throw unexpectedResponse('a cancellation', status);
    },

    async readCallback(callback, current) {
      if (!isSignedCallback(callback, await key(), clock)) return undefined;
      const job = parseJobReport(callback.body);
      if (!job) return undefined;
      const { isCurrent } = await current((reference) => job.reference === reference);
      if (!isCurrent) return { status: 'queued', progress: 0 };
      return withRelativeOutputs(stateOf(job), base);
    },

    download: (output) => downloadOutput(output, base, request),
  };
};
