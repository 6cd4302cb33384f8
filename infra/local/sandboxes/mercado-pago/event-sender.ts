/** Sends signed notifications of payments, as soon as something happens or in the ways in which they go wrong. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dated, type FakePayment } from './fake-payments.ts';

/** `held` events are sent after the next one that is not: in another order. */
export const eventFates = ['at once', 'late', 'twice', 'held', 'lost'] as const;
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

const attempts = 3;

export function eventSender({ webhookSecret, now, lateMs }: EventSenderOptions) {
  const closed = new AbortController();
  const held: PaymentChange[] = [];
  let latestId = '';

  async function post({ payment, action }: PaymentChange, eventId: string): Promise<boolean> {
    const ts = String(now());
    const url = new URL(payment.notification_url);
    url.search = new URLSearchParams({ 'data.id': String(payment.id), type: 'payment' }).toString();
    const manifest = `id:${payment.id};request-id:${eventId};ts:${ts};`;
    const v1 = createHmac('sha256', webhookSecret).update(manifest).digest('hex');
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': eventId, 'x-signature': `ts=${ts},v1=${v1}` },
      body: JSON.stringify({
        id: now(),
        live_mode: false,
        type: 'payment',
        date_created: dated(now()),
        action,
        data: { id: String(payment.id) },
      }),
      signal: AbortSignal.any([closed.signal, AbortSignal.timeout(22_000)]),
    });
    await response.body?.cancel();
    return response.ok;
  }

  async function deliver(change: PaymentChange, eventId: string): Promise<void> {
    latestId = eventId;
    for (let attempt = 0; attempt < attempts && !closed.signal.aborted; attempt += 1) {
      if (await post(change, eventId).catch(() => false)) return;
      await sleep(lateMs, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  }

  return {
    async send(change: PaymentChange, fate: EventFate): Promise<void> {
      if (fate === 'lost') return;
      if (fate === 'held') {
        held.push(change);
        return;
      }
      if (fate === 'late') await sleep(lateMs, undefined, { signal: closed.signal }).catch(() => undefined);
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
