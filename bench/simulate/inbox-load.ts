/** What connected pages use in a day and cost in a month, by how much happens on them. */
import { memoryMbOf } from '../../infra/hosting.ts';
import { outsideMs } from '../cost/assumptions.ts';
import { dollarsFor } from '../cost/bill.ts';
import { prices, type Resource } from '../cost/prices.ts';
import {
  comparison,
  events,
  type InboxSize,
  type InboxUse,
  listing,
  rereads,
  sending,
  synchronization,
} from './inbox-uses.ts';

/** A page, and what happens on it in a day. */
export interface InboxPage extends InboxSize {
  readonly messages: number;
  readonly comments: number;
  /** Messages and replies that the account sends. */
  readonly sent: number;
  /** Lists that the account reads. */
  readonly lists: number;
}

const synchronizationsPerDay = 24 * 12;
const daysPerMonth = 365.25 / 12;

/** What a message that the page sent is followed by: it is delivered, and read. */
const receiptsPerMessage = 2;

/** Entries of a list, by default. */
const listed = 20;

type Times = readonly [count: number, use: InboxUse];

function happening(page: InboxPage): readonly Times[] {
  const { messages, comments, sent, lists } = page;
  const reread = { graphRequests: 1, readUnits: 3 + listed, writeUnits: 0 };
  return [
    [synchronizationsPerDay - 1, synchronization(page)],
    [1, comparison(page)],
    [messages, events.message],
    [comments, events.comment],
    [sent * receiptsPerMessage, events.receipt],
    [sent, sending],
    [lists, listing(listed)],
    // At worst, each is in another conversation or on another post.
    [(messages + sent) * rereads.message + comments * rereads.comment, reread],
  ];
}

export interface InboxDay extends InboxUse {
  /** Of the account's back end and of the network. */
  readonly apiRequests: number;
  readonly invocations: number;
  /** For which consumers of the queue work on it. */
  readonly workSeconds: number;
  readonly gigabyteSeconds: number;
  readonly queueRequests: number;
  /** Tokens that were opened. */
  readonly decryptions: number;
}

/** Waiting for the network is most of it. */
const seconds = { request: 0.03, graphRequest: outsideMs / 1000 } as const;

/** A message is sent, received and deleted. */
const requestsPerMessage = 3;

/** What a page uses in a day. */
export function inboxDay(page: InboxPage): InboxDay {
  const all = happening(page);
  const total = (of: (use: InboxUse) => number) => all.reduce((sum, [count, use]) => sum + count * of(use), 0);
  const graphRequests = total((use) => use.graphRequests);
  const apiRequests = page.messages + page.comments + page.sent * (1 + receiptsPerMessage) + page.lists;
  const invocations = apiRequests + synchronizationsPerDay;
  const ms = 1000 * (invocations * seconds.request + graphRequests * seconds.graphRequest);
  const functionName = 'processInboxMessage';
  return {
    graphRequests,
    readUnits: total((use) => use.readUnits),
    writeUnits: total((use) => use.writeUnits),
    apiRequests,
    invocations,
    workSeconds: synchronizationsPerDay * seconds.request + graphRequests * seconds.graphRequest,
    gigabyteSeconds: (memoryMbOf(functionName) / 1024) * (ms / 1000),
    queueRequests: requestsPerMessage * synchronizationsPerDay,
    decryptions: synchronizationsPerDay + page.sent,
  };
}

/** Dollars a month for a number of such pages, by service. */
export function inboxMonth(page: InboxPage, pages: number): Readonly<Record<string, number>> {
  const day = inboxDay(page);
  const amounts: Partial<Record<Resource, number>> = {
    apiRequests: day.apiRequests,
    firewallRequests: day.apiRequests,
    lambdaRequests: day.invocations,
    lambdaGigabyteSeconds: day.gigabyteSeconds,
    readUnits: day.readUnits,
    writeUnits: day.writeUnits,
    queueRequests: day.queueRequests,
    // Requests with symmetric keys cost the same.
    macs: day.decryptions,
  };
  const bill: Record<string, number> = {};
  for (const [name, amount] of Object.entries(amounts)) {
    const price = prices[name as Resource];
    bill[price.service] = (bill[price.service] ?? 0) + dollarsFor(amount * daysPerMonth * pages, price);
  }
  return bill;
}
