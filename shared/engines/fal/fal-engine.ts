/**
 * Adapter to fal.ai's queue. A job is submitted to its model's endpoint and polled at the URLs in the response; a
 * signed callback also reports its end.
 *
 * fal.ai documents no idempotent submissions. The task's id is sent as `Idempotency-Key`, which fal.ai may ignore: if
 * the response to a submission is lost, a second job may be created. After any response, even in an unknown format, the
 * job is not submitted again, because a job that may have been accepted must not be paid for twice.
 */
import { Readable } from 'node:stream';
import * as z from 'zod';
import type { ProviderResponse } from '../../platform/bounded-exchange.ts';
import type { Clock } from '../../platform/clock.ts';
import { jsonIn } from '../../platform/json-in.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type {
  Engine,
  EngineAcceptance,
  EngineCharge,
  EngineDownload,
  EngineJob,
  EngineLoss,
  EngineOutcome,
  EngineOutput,
  EngineProgress,
} from '../engine.ts';
import { downloadPublicOutput } from '../public-output.ts';
import { statedCharge } from '../stated-charge.ts';
import { falKeys, isSignedCallback } from './fal-callback.ts';
import { failed, faultOfResponse, outcomeOf, unexpectedResponse } from './fal-fault.ts';
import { type FalReference, isReportOn, outcomeOfReport, parseReference, parseReport, referenceIn } from './fal-job.ts';
import { documentType, outcomeOfPayload } from './fal-outputs.ts';
import { maxResultBytes, queueRequests, type RequestQueue } from './fal-queue.ts';
import { scribeModel } from './fal-scribe.ts';

export interface FalEngineAccess {
  /** The URL of the queue, `https://queue.fal.run`; the key is sent nowhere else. */
  readonly queueUrl: string;
  /** The URL of the public keys for callbacks, `https://rest.fal.ai/.well-known/jwks.json`. */
  readonly jwksUrl: string;
  /** The key, `id:secret`, is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  readonly clock: Clock;
  /** Downloads the outputs. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** The time limit of each exchange except downloads. Default: 10 s. */
  readonly timeLimitMs?: number;
}

type Accepted = EngineAcceptance | EngineOutcome;
type State = EngineProgress | EngineOutcome | EngineLoss;

/** A report that changes nothing. */
const nothingNew: EngineProgress = { status: 'queued', progress: 0 };
/** The progress is a constant, because fal.ai reports no percentages. */
const running: EngineProgress = { status: 'running', progress: 20 };

const isDone = ({ status }: ProviderResponse) => status >= 200 && status < 300;
/**
 * Whether the fault is the operator's (an invalid key, an account without funds) or temporary, so that the job has not
 * ended.
 */
const isOfAccount = ({ status }: ProviderResponse) => [401, 402, 403, 408, 429].includes(status);
const isWorthRetrying = ({ headers }: ProviderResponse) => headers.get('x-fal-retryable')?.toLowerCase() === 'true';

const endpoint = (model: string | undefined, base: URL): URL => {
  // Every segment of the endpoint begins with a letter or digit, so none can be `.` or `..`.
  if (!/^(?:[a-z0-9][\w.-]*\/)+[a-z0-9][\w.-]*$/i.test(model ?? '')) {
    throw new Error('the job names no fal.ai endpoint such as fal-ai/nano-banana-2');
  }
  return new URL(`${base.href}${model}`);
};

const submit = async (
  { taskId, model, input, callbackUrl }: EngineJob,
  base: URL,
  request: RequestQueue,
): Promise<Accepted> => {
  const url = endpoint(model, base);
  const completion = model === scribeModel ? 'polling' : 'callback';
  if (completion === 'callback') url.searchParams.set('fal_webhook', callbackUrl);
  const response = await request({ url, method: 'POST', body: input, idempotencyKey: taskId });
  if (isDone(response)) {
    const reference = referenceIn(response.text, base);
    return reference ? { status: 'accepted', reference, completion } : failed('PROVIDER_ERROR');
  }
  if (response.status >= 500 || isOfAccount(response) || isWorthRetrying(response)) {
    throw unexpectedResponse('a submission', response);
  }
  // A job that the queue itself rejects is never performed, so it costs nothing.
  return { ...outcomeOf(faultOfResponse(response)), charge: { units: 0 } };
};

/** The header of a result that says how many units of its model's price fal.ai charges for it. */
const chargeHeader = 'x-fal-billable-units';

/** The outcome of an ended job. For a failed job, the result URL returns the error and its status. */
const result = async ({ result: url }: FalReference, request: RequestQueue): Promise<EngineOutcome> => {
  const response = await request({ url, maxBytes: maxResultBytes });
  const charge = statedCharge(response, chargeHeader);
  if (isDone(response)) return { ...outcomeOfPayload(jsonIn(response.text), url.href), ...(charge && { charge }) };
  const fault = faultOfResponse(response);
  if (isOfAccount(response) || (response.status >= 500 && !fault.isDefinite))
    throw unexpectedResponse('a result request', response);
  return { ...outcomeOf(fault), ...(charge && { charge }) };
};

/** Reads only the charge, for a job whose outcome came in a callback, which does not state it. */
const readCharge = async ({ result: url }: FalReference, request: RequestQueue): Promise<EngineCharge | undefined> => {
  const response = await request({ url, maxBytes: 0, withinMs: 2000 }).catch(() => undefined);
  return response && statedCharge(response, chargeHeader);
};

const Status = z.object({ status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']) });

/**
 * A 404 means that the job is lost, whatever the cause: the service submits it again, as a new job that costs again.
 */
const check = async (reference: FalReference, request: RequestQueue): Promise<State> => {
  const url = new URL(reference.status);
  url.searchParams.set('logs', '0');
  const response = await request({ url });
  if (response.status === 404) return { status: 'lost' };
  const parsed = isDone(response) ? Status.safeParse(jsonIn(response.text)).data : undefined;
  if (!parsed) throw unexpectedResponse('a status request', response);
  if (parsed.status === 'IN_QUEUE') return { status: 'queued', progress: 0 };
  return parsed.status === 'IN_PROGRESS' ? running : result(reference, request);
};

/** Downloads a result that is a document, from its URL in the queue. */
const document = async ({ url }: EngineOutput, base: URL, request: RequestQueue): Promise<EngineDownload> => {
  const response = await request({ url: new URL(url, base), maxBytes: maxResultBytes });
  if (!isDone(response)) throw unexpectedResponse('a result request', response);
  const bytes = Buffer.from(response.text);
  return { body: Readable.from([bytes]), bytes: bytes.length };
};

const Cancellation = z.object({
  status: z.enum(['OK', 'CANCELLATION_REQUESTED', 'ALREADY_COMPLETED', 'NOT_FOUND']),
});

const cancel = async ({ cancel: url }: FalReference, request: RequestQueue): Promise<void> => {
  const response = await request({ url, method: 'PUT' });
  // The response's text is checked, because fal.ai documents it, but not the HTTP statuses.
  const isKnown = Cancellation.safeParse(jsonIn(response.text)).success;
  if (!isDone(response) && response.status !== 404 && !isKnown) throw unexpectedResponse('a cancellation', response);
};

/**
 * Creates the engine. Its functions throw an Error if fal.ai cannot be reached in time, rejects the key, has no
 * capacity or violates its protocol. Errors contain an HTTP status and documented names, never fal.ai's own text.
 */
export const falEngine = (access: FalEngineAccess): Engine => {
  const { queueUrl, jwksUrl, key, clock, outbound, timeLimitMs = 10_000 } = access;
  const base = new URL(queueUrl.endsWith('/') ? queueUrl : `${queueUrl}/`);
  const request = queueRequests(base, key, timeLimitMs);
  const keys = falKeys({ url: jwksUrl, clock, timeLimitMs });

  return {
    submit: (job) => submit(job, base, request),
    check: async (reference) => check(parseReference(reference, base), request),
    cancel: async (reference) => cancel(parseReference(reference, base), request),
    download: (output) =>
      output.contentType === documentType
        ? document(output, base, request)
        : downloadPublicOutput('fal.ai', output, outbound),
    readCharge: async (reference) => readCharge(parseReference(reference, base), request),

    /**
     * A report about a job other than the current one, from a submission whose response was lost, changes nothing. A
     * report without a payload triggers a status request.
     */
    async readCallback(callback, current) {
      if (!(await isSignedCallback(callback, keys, clock))) return undefined;
      const report = parseReport(callback.body);
      if (!report) return undefined;
      const { isCurrent, reference } = await current((known) =>
        isReportOn(report, parseReference(known, base).requestId),
      );
      if (!isCurrent) return nothingNew;
      const outcome = outcomeOfReport(report);
      if (outcome) return outcome;
      const state = reference === undefined ? running : await check(parseReference(reference, base), request);
      return state.status === 'lost' ? nothingNew : state;
    },
  };
};
