/** Simulates webhook workers with some silent receivers: how long the webhooks of all other accounts wait. */

import { attemptsPerSeries } from '../../shared/contracts/limits.ts';
import {
  type Admission,
  deferralSeconds,
  deliveriesPerAccount,
  slowMs,
} from '../../shared/domain/webhooks/delivery-slots.ts';
import { delayBeforeAttempt } from '../../shared/domain/webhooks/webhook.ts';
import { attemptSeconds, secondsOf } from './demand.ts';
import { eventQueue } from './event-queue.ts';
import { arrivals, randomFrom } from './random.ts';

/**
 * `one queue`: first come, first served. `fair queue`: SQS lets others overtake an account that has at least 30 messages
 * and more than a tenth of all in flight. `bounded`: as built, a bound per account and one at a time to a slow host;
 * each silent account has one host.
 */
export type Policy = 'one queue' | 'fair queue' | 'bounded';

export interface Load {
  /** Webhooks per second to receivers that respond. */
  readonly responsive: number;
  readonly silentAccounts: number;
  /** Per silent account and second. */
  readonly silentEach: number;
  /** Per silent account, within the first second. */
  readonly silentAtOnce?: number;
  readonly seconds: number;
}

export interface Deliveries {
  /** Seconds that first attempts at responsive receivers waited, of those that were made. */
  readonly waits: readonly number[];
  readonly backlog: number;
}

interface Message {
  readonly since: number;
  readonly attempt: number;
  /** A silent account; undefined is one of many whose receivers respond. */
  readonly account: number | undefined;
  readonly deferrals: number;
}

/** How long a worker needs to defer a message. */
const deferringSeconds = 0.03;

/** The sweeper's interval: it enqueues messages that are no longer deferred. */
const sweepSeconds = 60;

/** A queue that does not shift its items on each removal. */
function line<Item>() {
  let [items, first] = [[] as Item[], 0];
  return {
    add: (item: Item) => void items.push(item),
    take(): Item | undefined {
      const item = items[first++];
      if (first > items.length) first = items.length;
      if (first > 10_000) [items, first] = [items.slice(first), 0];
      return item;
    },
    get length() {
      return items.length - first;
    },
  };
}

interface Lane {
  add(message: Message, now: number): void;
  /** Frees a worker. */
  release(now: number): void;
  readonly backlog: number;
}

interface LaneOptions {
  readonly workers: number;
  readonly isNoisy: (message: Message) => boolean;
  readonly work: (message: Message, now: number) => void;
}

/** A queue and its workers. Messages that are noisy on arrival are served when no others wait. */
function laneOf({ workers, isNoisy, work }: LaneOptions): Lane {
  const [quiet, noisy] = [line<Message>(), line<Message>()];
  let free = workers;
  const serve = (now: number): void => {
    while (free > 0) {
      const message = quiet.take() ?? noisy.take();
      if (!message) return;
      free -= 1;
      work(message, now);
    }
  };
  return {
    add(message, now) {
      (isNoisy(message) ? noisy : quiet).add(message);
      serve(now);
    },
    release(now) {
      free += 1;
      serve(now);
    },
    get backlog() {
      return quiet.length + noisy.length;
    },
  };
}

/** Deliveries in flight per silent account; undefined stands for any other account. */
function tallyOf(accounts: number) {
  const inFlight = Array.from({ length: accounts }, () => 0);
  const slowUntil = Array.from({ length: accounts }, () => 0);
  let total = 0;
  const change = (account: number | undefined, by: number): void => {
    total += by;
    if (account !== undefined) inFlight[account] = (inFlight[account] ?? 0) + by;
  };
  return {
    begin: (account: number | undefined) => change(account, 1),
    end(account: number | undefined, now: number) {
      change(account, -1);
      if (account !== undefined) slowUntil[account] = now + slowMs / 1000;
    },
    isNoisy(account: number | undefined): boolean {
      const own = account === undefined ? 0 : (inFlight[account] ?? 0);
      return own >= 30 && own > total / 10;
    },
    admission(account: number | undefined, now: number): Admission {
      const own = account === undefined ? 0 : (inFlight[account] ?? 0);
      if (own === 0) return 'admitted';
      if (now < (slowUntil[account ?? 0] ?? 0)) return 'slow';
      return own < deliveriesPerAccount ? 'admitted' : 'full';
    },
  };
}

export function simulateWebhooks(load: Load, workers: number, policy: Policy): Deliveries {
  const events = eventQueue();
  const waits: number[] = [];
  const tally = tallyOf(load.silentAccounts);

  const send = (when: number, account: number | undefined, attempt: number, deferrals = 0): void =>
    events.add(when, (at) => lane.add({ since: at, attempt, account, deferrals }, at));

  function defer({ account, attempt, deferrals }: Message, admission: 'full' | 'slow', now: number): void {
    const delay = deferralSeconds(admission, deferrals);
    if (delay === undefined) send(now + sweepSeconds, account, attempt);
    else send(now + delay, account, attempt, deferrals + 1);
    events.add(now + deferringSeconds, (at) => lane.release(at));
  }

  function work(message: Message, now: number): void {
    const { account, attempt, since } = message;
    const admission = policy === 'bounded' ? tally.admission(account, now) : 'admitted';
    if (admission !== 'admitted') {
      defer(message, admission, now);
      return;
    }
    tally.begin(account);
    if (account === undefined) waits.push(now - since);
    events.add(now + (account === undefined ? secondsOf('deliverWebhook') : attemptSeconds), (at) => {
      tally.end(account, at);
      if (account !== undefined && attempt < attemptsPerSeries) {
        send(at + delayBeforeAttempt(attempt + 1), account, attempt + 1);
      }
      lane.release(at);
    });
  }

  const isNoisy = ({ account }: Message) => policy === 'fair queue' && tally.isNoisy(account);
  const lane: Lane = laneOf({ workers, isNoisy, work });

  const random = randomFrom(5);
  for (const at of arrivals(random, load.responsive, load.seconds)) send(at, undefined, 1);
  for (let account = 0; account < load.silentAccounts; account += 1) {
    for (const at of arrivals(random, load.silentEach, load.seconds)) send(at, account, 1);
    for (let message = 0; message < (load.silentAtOnce ?? 0); message += 1) send(random(), account, 1);
  }
  events.run(load.seconds);
  return { waits, backlog: lane.backlog };
}
