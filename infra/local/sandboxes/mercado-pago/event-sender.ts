/** Sends signed notifications of payments, as soon as something happens or in the ways in which they go wrong. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dated, type FakePayment } from './fake-payments.ts';

/** `held` events are sent after the next one that is not: in another order. `stale` and `forged` ones must be rejected. */
export const eventFates = ['at once', 'late', 'twice', 'held', 'lost', 'stale', 'forged'] as const;
export type EventFate = (typeof eventFates)[number];

export interface EventSenderOptions {
  readonly webhookSecret: string;
  readonly now: () => number;
  /** How late an event is, and how long it takes until a failed one is sent again. */
  readonly lateMs: number;
}

export interface PaymentChange {
  readonly payment: FakePayment;
  readonly action: string;
}

/** A request that was made, which anybody who saw it could repeat. */
export interface SentEvent {
  readonly paymentId: number;
  readonly action: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the response; null if there was none. */
  readonly status: number | null;
}

const attempts = 3;

/** Older than a receiver may accept. */
const staleMs = 10 * 60_000;

const mostRemembered = 200;

type Notification = Omit<SentEvent, 'status'>;

function notificationOf(
  { payment, action }: PaymentChange,
  eventId: string,
  { secret, now, signedAt }: { secret: string; now: number; signedAt: number },
): Notification {
  const url = new URL(payment.notification_url);
  url.search = new URLSearchParams({ 'data.id': String(payment.id), type: 'payment' }).toString();
  const manifest = `id:${payment.id};request-id:${eventId};ts:${signedAt};`;
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
  const data = { id: String(payment.id) };
  const content = { id: now, live_mode: false, type: 'payment', date_created: dated(now), action, data };
  return {
    paymentId: payment.id,
    action,
    url: url.href,
    headers: {
      'content-type': 'application/json',
      'x-request-id': eventId,
      'x-signature': `ts=${signedAt},v1=${v1}`,
    },
    body: JSON.stringify(content),
  };
}

export function eventSender({ webhookSecret, now, lateMs }: EventSenderOptions) {
  const closed = new AbortController();
  const held: PaymentChange[] = [];
  const sent: SentEvent[] = [];
  let latestId = '';

  const pause = () => sleep(lateMs, undefined, { signal: closed.signal }).catch(() => undefined);

  async function post(notification: Notification): Promise<boolean> {
    const { url, headers, body } = notification;
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(22_000)]);
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
    await response?.body?.cancel();
    sent.push({ ...notification, status: response?.status ?? null });
    if (sent.length > mostRemembered) sent.shift();
    return response?.ok === true;
  }

  async function deliver(change: PaymentChange, eventId: string): Promise<void> {
    latestId = eventId;
    for (let attempt = 0; attempt < attempts && !closed.signal.aborted; attempt += 1) {
      const when = { secret: webhookSecret, now: now(), signedAt: now() };
      if (await post(notificationOf(change, eventId, when))) return;
      await pause();
    }
  }

  async function deliverWrong(change: PaymentChange, fate: 'stale' | 'forged'): Promise<void> {
    const secret = fate === 'forged' ? randomBytes(32).toString('hex') : webhookSecret;
    const signedAt = now() - (fate === 'stale' ? staleMs : 0);
    await post(notificationOf(change, randomUUID(), { secret, now: now(), signedAt }));
  }

  return {
    /** Oldest first. */
    sent: (): readonly SentEvent[] => sent,
    async send(change: PaymentChange, fate: EventFate): Promise<void> {
      if (fate === 'lost') return;
      if (fate === 'held') {
        held.push(change);
        return;
      }
      if (fate === 'stale' || fate === 'forged') return deliverWrong(change, fate);
      if (fate === 'late') await pause();
      const copies = fate === 'twice' ? [change, change] : [change];
      const eventId = randomUUID();
      await Promise.all(copies.map((copy) => deliver(copy, eventId)));
      for (const earlier of held.splice(0).toReversed()) await deliver(earlier, randomUUID());
    },
    /** Sends an event with the id of the latest one. */
    resend: (change: PaymentChange): Promise<void> => deliver(change, latestId),
    close: () => closed.abort(),
  };
}
