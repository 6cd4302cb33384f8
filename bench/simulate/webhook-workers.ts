/** The workers that deliver webhooks, when some receivers do not answer: how long the others' webhooks wait. */
import { attemptsPerSeries, delayBeforeAttempt } from '../../shared/domain/webhooks/webhook.ts';
import { attemptSeconds, secondsOf } from './demand.ts';
import { eventQueue } from './event-queue.ts';
import { arrivals, randomFrom } from './random.ts';

/**
 * `one queue`: first come, first served. `fair queue`: SQS lets others pass an account that has at least 30 messages
 * and more than a tenth of all in flight. `silent apart`: three failures in a row move an account to a queue with
 * workers of its own, a tenth of all.
 */
export type Policy = 'one queue' | 'fair queue' | 'silent apart';

export interface Load {
  /** Webhooks of receivers that answer, each second. */
  readonly answered: number;
  readonly silentAccounts: number;
  /** Of each silent account, each second. */
  readonly silentEach: number;
  readonly seconds: number;
}

export interface Deliveries {
  /** Seconds that first attempts at receivers that answer had to wait, as far as they were made. */
  readonly waits: readonly number[];
  readonly backlog: number;
}

interface Message {
  readonly since: number;
  readonly attempt: number;
  /** A silent account; undefined is one of many that answer. */
  readonly account: number | undefined;
}

/** A queue that does not move what is in it at each step. */
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
  /** A worker is free again. */
  release(now: number): void;
  readonly backlog: number;
}

interface LaneOptions {
  readonly workers: number;
  readonly isNoisy: (message: Message) => boolean;
  readonly work: (message: Message, now: number) => void;
}

/** A queue and its workers. Who is noisy when a message comes is served when nobody else waits. */
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

/** What is known of the silent accounts; undefined is none of them. */
function tallyOf(accounts: number) {
  const inFlight = Array.from({ length: accounts }, () => 0);
  const failures = Array.from({ length: accounts }, () => 0);
  let total = 0;
  const change = (account: number | undefined, by: number): void => {
    total += by;
    if (account !== undefined) inFlight[account] = (inFlight[account] ?? 0) + by;
  };
  return {
    begin: (account: number | undefined) => change(account, 1),
    end(account: number | undefined) {
      change(account, -1);
      if (account !== undefined) failures[account] = (failures[account] ?? 0) + 1;
    },
    isNoisy(account: number | undefined): boolean {
      const own = account === undefined ? 0 : (inFlight[account] ?? 0);
      return own >= 30 && own > total / 10;
    },
    isSilent: (account: number | undefined): boolean => account !== undefined && (failures[account] ?? 0) >= 3,
  };
}

export function simulateWebhooks(load: Load, workers: number, policy: Policy): Deliveries {
  const events = eventQueue();
  const waits: number[] = [];
  const tally = tallyOf(load.silentAccounts);

  /** A worker's part in an attempt, from its lane and back to it. */
  const work = (own: () => Lane) => (message: Message, now: number) => {
    const { account, attempt, since } = message;
    tally.begin(account);
    if (account === undefined) waits.push(now - since);
    events.add(now + (account === undefined ? secondsOf('deliverWebhook') : attemptSeconds), (at) => {
      tally.end(account);
      if (account !== undefined && attempt < attemptsPerSeries) {
        deliver(at + delayBeforeAttempt(attempt + 1), account, attempt + 1);
      }
      own().release(at);
    });
  };
  const apart = policy === 'silent apart' ? Math.floor(workers / 10) : 0;
  const isNoisy = ({ account }: Message) => policy === 'fair queue' && tally.isNoisy(account);
  const main: Lane = laneOf({ workers: workers - apart, isNoisy, work: work(() => main) });
  const side: Lane = laneOf({ workers: apart, isNoisy, work: work(() => side) });
  const deliver = (when: number, account: number | undefined, attempt: number): void =>
    events.add(when, (at) => {
      const lane = apart > 0 && tally.isSilent(account) ? side : main;
      lane.add({ since: at, attempt, account }, at);
    });

  const random = randomFrom(5);
  for (const at of arrivals(random, load.answered, load.seconds)) deliver(at, undefined, 1);
  for (let account = 0; account < load.silentAccounts; account += 1)
    for (const at of arrivals(random, load.silentEach, load.seconds)) deliver(at, account, 1);
  events.run(load.seconds);
  return { waits, backlog: main.backlog };
}
