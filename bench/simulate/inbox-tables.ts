/** The tables about the inbox of connected pages. */
import type { TextTable } from '../text-table.ts';
import { type InboxPage, inboxDay, inboxMonth } from './inbox-load.ts';
import { comparison, events, type InboxUse, listing, sending, synchronization } from './inbox-uses.ts';
import { rounded } from './rounded.ts';

const quiet: InboxPage = {
  conversations: 50,
  messagesEach: 10,
  posts: 50,
  commentsEach: 5,
  messages: 0,
  comments: 0,
  sent: 0,
  lists: 0,
};
const small: InboxPage = { ...quiet, messages: 20, comments: 10, sent: 10, lists: 200 };
const busy: InboxPage = {
  conversations: 500,
  messagesEach: 40,
  posts: 200,
  commentsEach: 50,
  messages: 1000,
  comments: 500,
  sent: 300,
  lists: 5000,
};

const pages: Readonly<Record<string, InboxPage>> = { quiet, small, busy };

export function inboxUsesTable(): TextTable {
  const uses: Readonly<Record<string, InboxUse>> = {
    'a synchronization, nothing has changed': synchronization(quiet),
    'a comparison of a quiet page, no difference': comparison(quiet),
    'a comparison of a busy page, no difference': comparison(busy),
    'an event with a message': events.message,
    'an event with a comment': events.comment,
    'an event with a receipt': events.receipt,
    'a message that is sent': sending,
    'a list of 20 messages': listing(20),
  };
  return {
    title: 'What the inbox uses',
    columns: ['what happens', 'network requests', 'read units', 'write units'],
    rows: Object.entries(uses).map(([name, { graphRequests, readUnits, writeUnits }]) => [
      name,
      rounded(graphRequests),
      rounded(readUnits),
      rounded(writeUnits),
    ]),
  };
}

/** In 24 hours, for each impression on Instagram and each engaged person on Facebook: Meta's page on rate limits. */
const graphRequestsEach = 4800;

const pageCount = 1000;

const daySeconds = 24 * 3600;

export function inboxPagesTable(): TextTable {
  return {
    title: `${rounded(pageCount)} pages, synchronized every five minutes and compared every day; $ a month`,
    columns: [
      'page',
      'requests /day each',
      'impressions needed',
      'workers',
      'writes /s',
      'DynamoDB',
      'Lambda',
      'KMS',
      'SQS',
      'API',
      'total $',
    ],
    rows: Object.entries(pages).map(([name, page]) => {
      const { graphRequests, workSeconds, writeUnits } = inboxDay(page);
      const bill = inboxMonth(page, pageCount);
      const dollars = (...services: string[]) => services.reduce((sum, service) => sum + (bill[service] ?? 0), 0);
      return [
        name,
        rounded(graphRequests),
        Math.ceil(graphRequests / graphRequestsEach),
        rounded((workSeconds * pageCount) / daySeconds),
        rounded((writeUnits * pageCount) / daySeconds),
        rounded(dollars('DynamoDB')),
        rounded(dollars('Lambda')),
        rounded(dollars('KMS')),
        rounded(dollars('SQS')),
        rounded(dollars('API Gateway', 'WAF')),
        rounded(dollars(...Object.keys(bill))),
      ];
    }),
  };
}
