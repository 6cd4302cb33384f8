/** Sends the signed events of a sandbox: immediately, or with a delivery fault that a test chooses. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { savedRecords } from './saved-records.ts';

/**
 * How an event is delivered. `reordered` events are sent after the next one. `stale` and `forged` events must be
 * rejected.
 */
export const eventDeliveries = ['at once', 'late', 'twice', 'reordered', 'lost', 'stale', 'forged'] as const;
export type EventDelivery = (typeof eventDeliveries)[number];

export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A sent request with its headers, so that replay attacks can be simulated. */
export interface SentEvent<Change> extends SignedRequest {
  readonly change: Change;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
}

export interface Signing {
  readonly secret: string;
  /** When the event is signed, in milliseconds since the epoch. */
  readonly signedAt: number;
}

export interface EventSenderOptions<Change> {
  /**
   * The path of the file with the sandbox's records; events are stored next to it. Without a path, they are lost when
   * the process ends.
   */
  readonly path?: string | undefined;
  readonly secret: string;
  readonly now: () => number;
  /** How late a delayed event is sent, and after how long a failed event is sent again. */
  readonly lateMs: number;
  /** Builds the request for a change; undefined if the change notifies no one. */
  readonly requestFor: (change: Change, eventId: string, signing: Signing) => SignedRequest | undefined;
}

export interface EventSender<Change> {
  /** The sent events, oldest first. */
  sent(): readonly SentEvent<Change>[];
  /** The sent events, once all pending events have been sent. */
  allSent(): Promise<readonly SentEvent<Change>[]>;
  /** Sends an event without waiting for the response. */
  send(change: Change, delivery: EventDelivery): void;
  /** Sends an event again, with the id of the latest one. */
  resend(change: Change): Promise<void>;
  close(): void;
}

const attempts = 3;

/** The age of a stale event, which receivers must reject. */
const staleMs = 10 * 60_000;

const maxRemembered = 200;

/** Stores a limited number of events; new ones overwrite the oldest. */
function eventRecords<Change>(path: string | undefined) {
  type Numbered = readonly [number: number, event: SentEvent<Change>];
  const saved = savedRecords<Numbered>(path?.replace(/(\.jsonl)?$/, '-events.jsonl'));
  const numbered = (): Numbered[] => [...saved.byId.values()].toSorted(([one], [other]) => one - other);
  let next = (numbered().at(-1)?.[0] ?? 0) + 1;
  return {
    all: (): SentEvent<Change>[] => numbered().map(([, event]) => event),
    add(event: SentEvent<Change>): void {
      saved.put(String(next % maxRemembered), [next, event]);
      next += 1;
    },
    close: () => saved.close(),
  };
}

/** Sends requests and stores them. */
function poster<Change>(closing: AbortSignal, path: string | undefined) {
  const records = eventRecords<Change>(path);
  return {
    sent: records.all,
    close: records.close,
    async post(change: Change, request: SignedRequest): Promise<boolean> {
      const { url, headers, body } = request;
      const signal = AbortSignal.any([closing, AbortSignal.timeout(22_000)]);
      const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
      await response?.body?.cancel();
      if (!closing.aborted) records.add({ ...request, change, status: response?.status ?? null });
      return response?.ok === true;
    },
  };
}

function unfinishedWork() {
  const all = new Set<Promise<void>>();
  return {
    add(work: Promise<void>): void {
      const one = work.finally(() => all.delete(one));
      all.add(one);
    },
    async end(): Promise<void> {
      while (all.size > 0) await Promise.all(all);
    },
  };
}

export function eventSender<Change>(options: EventSenderOptions<Change>): EventSender<Change> {
  const { path, secret, now, lateMs, requestFor } = options;
  const closed = new AbortController();
  const posts = poster<Change>(closed.signal, path);
  const delayed: Change[] = [];
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

  async function deliverWrong(change: Change, delivery: 'stale' | 'forged'): Promise<void> {
    const signing = {
      secret: delivery === 'forged' ? randomBytes(32).toString('hex') : secret,
      signedAt: now() - (delivery === 'stale' ? staleMs : 0),
    };
    const request = requestFor(change, randomUUID(), signing);
    if (request) await posts.post(change, request);
  }

  async function send(change: Change, delivery: EventDelivery): Promise<void> {
    if (delivery === 'lost') return;
    if (delivery === 'reordered') return void delayed.push(change);
    if (delivery === 'stale' || delivery === 'forged') return deliverWrong(change, delivery);
    if (delivery === 'late') await pause();
    const copies = delivery === 'twice' ? [change, change] : [change];
    const eventId = randomUUID();
    await Promise.all(copies.map((copy) => deliver(copy, eventId)));
    for (const earlier of delayed.splice(0).toReversed()) await deliver(earlier, randomUUID());
  }

  const unfinished = unfinishedWork();
  return {
    sent: posts.sent,
    async allSent() {
      await unfinished.end();
      return posts.sent();
    },
    send: (change, delivery) => unfinished.add(send(change, delivery)),
    resend: (change) => deliver(change, latestId),
    close() {
      closed.abort();
      posts.close();
    },
  };
}
