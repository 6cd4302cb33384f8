/** The signed notifications of payments. */
import { createHmac } from 'node:crypto';
import { type EventSender, type EventSenderOptions, eventSender, type SentEvent } from '../event-sender.ts';
import { dated, type FakePayment } from './fake-payments.ts';

export interface PaymentChange {
  readonly payment: FakePayment;
  readonly action: string;
}

/** A notification as the payment's page and `/events` show it. */
export interface SentNotification {
  readonly paymentId: number;
  readonly action: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
}

export const notificationIn = ({
  change: { payment, action },
  ...request
}: SentEvent<PaymentChange>): SentNotification => ({ paymentId: payment.id, action, ...request });

export const paymentEventSender = (
  options: Pick<EventSenderOptions<PaymentChange>, 'path' | 'secret' | 'now' | 'lateMs'>,
): EventSender<PaymentChange> =>
  eventSender({
    ...options,
    requestFor({ payment, action }, eventId, { secret, signedAt }) {
      const url = new URL(payment.notification_url);
      url.search = new URLSearchParams({ 'data.id': String(payment.id), type: 'payment' }).toString();
      const manifest = `id:${payment.id};request-id:${eventId};ts:${signedAt};`;
      const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
      const now = options.now();
      const data = { id: String(payment.id) };
      const content = { id: now, live_mode: false, type: 'payment', date_created: dated(now), action, data };
      return {
        url: url.href,
        headers: {
          'content-type': 'application/json',
          'x-request-id': eventId,
          'x-signature': `ts=${signedAt},v1=${v1}`,
        },
        body: JSON.stringify(content),
      };
    },
  });
