/** Sends the signed events of a sandbox, as soon as something happens or in the ways in which deliveries go wrong. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** `held` events are sent after the next one that is not: in another order. `stale` and `forged` ones must be rejected. */
export const eventFates = ['at once', 'late', 'twice', 'held', 'lost', 'stale', 'forged'] as const;
export type EventFate = (typeof eventFates)[number];

export const isEventFate = (text: string | null): text is EventFate => eventFates.some((fate) => fate === text);

export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that was made, which anybody who saw it could repeat. */
export interface SentEvent<Change> extends SignedRequest {
  readonly change: Change;
  /** Of the response; null if there was none. */
  readonly status: number | null;
}

export interface Signing {
  readonly secret: string;
  /** In milliseconds since 1970. */
  readonly signedAt: number;
}

export interface EventSenderOptions<Change> {
  readonly secret: string;
  readonly now: () => number;
  /** How late an event is, and how long it takes until a failed one is sent again. */
  readonly lateMs: number;
  /** Undefined if nobody is to be notified. */
  readonly requestFor: (change: Change, eventId: string, signing: Signing) => SignedRequest | undefined;
}

export interface EventSender<Change> {
  /** Oldest first. */
  sent(): readonly SentEvent<Change>[];
  send(change: Change, fate: EventFate): Promise<void>;
  /** Sends an event with the id of the latest one. */
  resend(change: Change): Promise<void>;
  close(): void;
}

const attempts = 3;

/** Older than a receiver may accept. */
const staleMs = 10 * 60_000;

const mostRemembered = 200;

/** Makes requests, and remembers them. */
function poster<Change>(closing: AbortSignal) {
  const sent: SentEvent<Change>[] = [];
  return {
    sent,
    async post(change: Change, request: SignedRequest): Promise<boolean> {
      const { url, headers, body } = request;
      const signal = AbortSignal.any([closing, AbortSignal.timeout(22_000)]);
      const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
      await response?.body?.cancel();
      sent.push({ ...request, change, status: response?.status ?? null });
      if (sent.length > mostRemembered) sent.shift();
      return response?.ok === true;
    },
  };
}

export function eventSender<Change>(options: EventSenderOptions<Change>): EventSender<Change> {
  const { secret, now, lateMs, requestFor } = options;
  const closed = new AbortController();
  const posts = poster<Change>(closed.signal);
  const held: Change[] = [];
  let latestId = '';

  const pause = () => sleep(lateMs, undefined, { signal: closed.signal }).catch(() => undefined);

  async function deliver(change: Change, eventId: string): Promise<void> {
    latestId = eventId;
    for (let attempt = 0; attempt < attempts && !closed.signal.aborted; attempt += 1) {
      const request = requestFor(change, eventId, { secret, signedAt: now() });
      if (!request || (await posts.post(change, request))) return;
      await pause();
    }
  }

  async function deliverWrong(change: Change, fate: 'stale' | 'forged'): Promise<void> {
    const signing = {
      secret: fate === 'forged' ? randomBytes(32).toString('hex') : secret,
      signedAt: now() - (fate === 'stale' ? staleMs : 0),
    };
    const request = requestFor(change, randomUUID(), signing);
    if (request) await posts.post(change, request);
  }

  return {
    sent: () => posts.sent,
    async send(change, fate) {
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
    resend: (change) => deliver(change, latestId),
    close: () => closed.abort(),
  };
}
