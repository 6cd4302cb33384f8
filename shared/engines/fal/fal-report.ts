/** What fal.ai says in a callback, checked and put in the words of the port. */
import * as z from 'zod';
import type { EngineOutcome } from '../engine.ts';
import { jsonIn } from './bounded-exchange.ts';
import { faultIn, outcomeOf } from './fal-fault.ts';
import { outcomeOfPayload } from './fal-outputs.ts';

const text = z.string().nullish();

const Report = z.object({
  request_id: z.string().min(1),
  /** Another one than `request_id` once the queue tried again. */
  gateway_request_id: text,
  status: z.enum(['OK', 'ERROR']),
  payload: z.unknown(),
  error: text,
  error_type: text,
  payload_error: text,
});

export type FalReport = z.output<typeof Report>;

/** Undefined when it is not a report as it is documented. */
export const parseReport = (body: string): FalReport | undefined => Report.safeParse(jsonIn(body)).data;

export const isReportOn = (report: FalReport, requestId: string): boolean =>
  [report.request_id, report.gateway_request_id].includes(requestId);

/** The HTTP status that the model answered with: it is told in no other place. */
const statusIn = (error: string | null | undefined): number | undefined => {
  const [, status] = /^Invalid status code: (\d{3})$/.exec(error ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
};

/** Undefined when the job has ended, but what became of it was left out and must be asked for. */
export const outcomeOfReport = (report: FalReport): EngineOutcome | undefined => {
  const { status, payload, error, error_type: errorType, payload_error: payloadError } = report;
  if (payload == null && (payloadError || status === 'OK')) return undefined;
  if (status === 'OK') return outcomeOfPayload(payload);
  return outcomeOf(faultIn({ status: statusIn(error), body: payload, errorType }));
};
