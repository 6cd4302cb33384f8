/**
 * The stored reference to an accepted job: its id and the three URLs that fal.ai returned, which cannot be derived from
 * the model's name. They are stored as paths below the queue's URL, so that they cannot lead anywhere else.
 */
import * as z from 'zod';
import { jsonIn } from './bounded-exchange.ts';
import { isBelow } from './queue-request.ts';

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

const Kept = z.object({ id: RequestId, status: Address, result: Address, cancel: Address });

const addressBelow = (text: string, base: URL): URL | undefined => {
  const url = URL.parse(text, base.href);
  return url && isBelow(url, base) ? url : undefined;
};

const resolved = ({ id, status, result, cancel }: z.output<typeof Kept>, base: URL): FalReference | undefined => {
  const [statusUrl, resultUrl, cancelUrl] = [status, result, cancel].map((text) => addressBelow(text, base));
  if (!statusUrl || !resultUrl || !cancelUrl) return undefined;
  return { requestId: id, status: statusUrl, result: resultUrl, cancel: cancelUrl };
};

/** The reference from the response to a submission; undefined if the response does not have the documented form. */
export const referenceIn = (answer: string, base: URL): string | undefined => {
  const told = Submission.safeParse(jsonIn(answer)).data;
  if (!told) return undefined;
  const { request_id: id, status_url: status, response_url: result, cancel_url: cancel } = told;
  const reference = resolved({ id, status, result, cancel }, base);
  if (!reference) return undefined;
  const path = (url: URL) => url.href.slice(base.href.length);
  const kept = { id, status: path(reference.status), result: path(reference.result), cancel: path(reference.cancel) };
  return JSON.stringify(kept satisfies z.output<typeof Kept>);
};

/** Throws for anything that {@link referenceIn} did not write, and for a URL that is not below the queue's. */
export const parseReference = (reference: string, base: URL): FalReference => {
  const kept = Kept.safeParse(jsonIn(reference)).data;
  const parsed = kept && resolved(kept, base);
  if (!parsed) throw new Error('the reference is not to a fal.ai job');
  return parsed;
};
