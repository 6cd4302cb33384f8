/** Parses fal.ai's callbacks into the port's terms. */
import * as z from 'zod';
import type { EngineOutcome } from '../engine.ts';
import { jsonIn } from './bounded-exchange.ts';
import { faultIn, outcomeOf } from './fal-fault.ts';
import { outcomeOfPayload } from './fal-outputs.ts';

const text = z.string().nullish();

const Report = z.object({
  request_id: z.string().min(1),
  /** Differs from `request_id` once the queue has retried. */
  gateway_request_id: text,
  status: z.enum(['OK', 'ERROR']),
  payload: z.unknown(),
  error: text,
  error_type: text,
  payload_error: text,
});

export type FalReport = z.output<typeof Report>;

/** Undefined if it does not have the documented form. */
export const parseReport = (body: string): FalReport | undefined => Report.safeParse(jsonIn(body)).data;

export const isReportOn = (report: FalReport, requestId: string): boolean =>
  [report.request_id, report.gateway_request_id].includes(requestId);

/** The HTTP status of the model's response, which appears nowhere else. */
const statusIn = (error: string | null | undefined): number | undefined => {
  const [, status] = /^Invalid status code: (\d{3})$/.exec(error ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
};

/** Undefined if the job has ended but the callback omits its outcome, which must be requested. */
export const outcomeOfReport = (report: FalReport): EngineOutcome | undefined => {
  const { status, payload, error, error_type: errorType, payload_error: payloadError } = report;
  if (payload == null && (payloadError || status === 'OK')) return undefined;
  if (status === 'OK') return outcomeOfPayload(payload);
  return outcomeOf(faultIn({ status: statusIn(error), body: payload, errorType }));
};
