/** Validates a request for a payment, with the error codes that the API documents. */
import * as z from 'zod';
import { parseTaxId } from '../../shared/contracts/tax-id.ts';
import type { NewPayment } from './fake-payments.ts';

const Request = z.object({
  transaction_amount: z.number().positive(),
  payment_method_id: z.literal('pix'),
  description: z.string().default(''),
  external_reference: z.string().max(64).default(''),
  notification_url: z.url(),
  // ISO 8601 with an offset; `Z` is rejected.
  date_of_expiration: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:?\d\d$/),
  payer: z.object({
    email: z.string().regex(/^[^@ ]+@[^@ ]+$/),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    identification: z.object({ type: z.enum(['CPF', 'CNPJ']), number: z.string() }).optional(),
  }),
});

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly description: string;
}

/** The shortest time for which a payment must be payable, counted from when the request arrives. */
const shortestMs = 30 * 60_000;
const longestMs = 30 * 24 * 3_600_000;

export function readPaymentRequest(body: unknown, now: number): NewPayment | Refusal {
  const { data, error } = Request.safeParse(body);
  if (!data) return { status: 400, code: 1, description: `invalid ${error.issues[0]?.path.join('.')}` };
  const { identification } = data.payer;
  if (identification && parseTaxId(identification.number)?.type !== identification.type) {
    return { status: 400, code: 2067, description: 'Invalid user identification number' };
  }
  const expiresAt = Date.parse(data.date_of_expiration);
  if (expiresAt < now + shortestMs || expiresAt > now + longestMs) {
    return { status: 400, code: 23, description: 'Invalid date_of_expiration' };
  }
  return {
    cents: Math.round(data.transaction_amount * 100),
    reference: data.external_reference,
    description: data.description,
    notificationUrl: data.notification_url,
    expiresAt,
    email: data.payer.email,
  };
}
