/**
 * A job at fal.ai: its stored reference, and the parsing of reports about it. A job's three URLs cannot be derived from
 * its model, so the reference contains them as paths below the queue's URL.
 */
import * as z from 'zod';
import { jsonIn } from '../../platform/json-in.ts';
import type { EngineOutcome } from '../engine.ts';
import { faultIn, outcomeOf } from './fal-fault.ts';
import { outcomeOfPayload } from './fal-outputs.ts';
import { isBelow } from './fal-queue.ts';

export interface FalReference {
  readonly requestId: string;
  readonly status: URL;
  readonly result: URL;
  readonly cancel: URL;
}

const RequestId = z.string().regex(/^[\w.:-]{1,200}$/);
const Address = z.string().min(1).max(2000);

const Submission = z.object({
  request_id: RequestId,
  status_url: Address,
  response_url: Address,
  cancel_url: Address,
});

const StoredReference = z.object({ id: RequestId, status: Address, result: Address, cancel: Address });

const addressBelow = (text: string, base: URL): URL | undefined => {
  const url = URL.parse(text, base.href);
  return url && isBelow(url, base) ? url : undefined;
};

const resolved = (
  { id, status, result, cancel }: z.output<typeof StoredReference>,
  base: URL,
): FalReference | undefined => {
  const [statusUrl, resultUrl, cancelUrl] = [status, result, cancel].map((text) => addressBelow(text, base));
  if (!statusUrl || !resultUrl || !cancelUrl) return undefined;
  return { requestId: id, status: statusUrl, result: resultUrl, cancel: cancelUrl };
};

/** The reference in the response to a submission; undefined if the response does not have the documented form. */
export const referenceIn = (response: string, base: URL): string | undefined => {
  const submission = Submission.safeParse(jsonIn(response)).data;
  if (!submission) return undefined;
  const { request_id: id, status_url: status, response_url: result, cancel_url: cancel } = submission;
  const reference = resolved({ id, status, result, cancel }, base);
  if (!reference) return undefined;
  const path = (url: URL) => url.href.slice(base.href.length);
  const stored = { id, status: path(reference.status), result: path(reference.result), cancel: path(reference.cancel) };
  return JSON.stringify(stored satisfies z.output<typeof StoredReference>);
};

/**
 * Parses a reference. Throws for anything that {@link referenceIn} did not create, and for a URL that is not below the
 * queue's.
 */
export const parseReference = (reference: string, base: URL): FalReference => {
  const stored = StoredReference.safeParse(jsonIn(reference)).data;
  const parsed = stored && resolved(stored, base);
  if (!parsed) throw new Error('the reference is not to a fal.ai job');
  return parsed;
};

const text = z.string().nullish();

const Report = z.object({
  request_id: z.string().min(1),
  /** The gateway's request id, which differs from `request_id` once the queue has retried the job. */
  gateway_request_id: text,
  status: z.enum(['OK', 'ERROR']),
  payload: z.unknown(),
  error: text,
  error_type: text,
  payload_error: text,
});

export type FalReport = z.output<typeof Report>;

/** Parses a report; undefined if it does not have the documented form. */
export const parseReport = (body: string): FalReport | undefined => Report.safeParse(jsonIn(body)).data;

export const isReportOn = (report: FalReport, requestId: string): boolean =>
  [report.request_id, report.gateway_request_id].includes(requestId);

/** Extracts the HTTP status of the model's response, which only the error text contains. */
const statusIn = (error: string | null | undefined): number | undefined => {
  const [, status] = /^Invalid status code: (\d{3})$/.exec(error ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
};

/**
 * The outcome in a report; undefined if the job has ended but the callback omits its outcome, which must then be
 * requested.
 */
export const outcomeOfReport = (report: FalReport): EngineOutcome | undefined => {
  const { status, payload, error, error_type: errorType, payload_error: payloadError } = report;
  if (payload == null && (payloadError || status === 'OK')) return undefined;
  if (status === 'OK') return outcomeOfPayload(payload);
  return outcomeOf(faultIn({ status: statusIn(error), body: payload, errorType }));
};
