/** The operators' search for anything that a customer, a gateway or a log mentions. */
import * as z from 'zod';
import { exactly, shortText, text, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';

const thingKinds = ['account', 'case', 'connection', 'order', 'subscription', 'task', 'token'] as const;

/** How many results a search shows: twenty from each index, and the rows whose id was given. */
const mostFound = 100;

const Found = once(() =>
  z
    .object({
      kind: z.enum(thingKinds).describe('What was found.'),
      id: shortText(255).describe('The id of the thing; of a connection, its channel.'),
      state: shortText().describe('The state that the thing is in.'),
      about: shortText(1000).describe('What distinguishes it from others of its kind.'),
      createdAt: timestamp().describe('When it was created.'),
      accountId: shortText().nullable().describe('The account that it belongs to, if any.'),
      email: shortText(320).nullable().describe("The e-mail address of the account's owner."),
      name: shortText(500).nullable().describe("The name of the account's owner."),
    })
    .meta({ id: 'Found' }),
);

const SearchResult = once(() =>
  z
    .object({
      found: z.array(Found()).max(mostFound).describe('Things with that name, those with a given id first.'),
      hasMore: z.boolean().describe('Whether there are more than are shown.'),
    })
    .meta({ id: 'SearchResult' }),
);

const SearchBody = once(() => exactly({ text: text(1, 2048).describe('What names the thing.') }));

export const operateSearchContracts = {
  findAnything: {
    operationId: 'findAnything',
    method: 'POST',
    path: '/operate/api/find',
    idempotent: false,
    repeatable: true,
    operator: 'viewer',
    summary: 'Find anything by what names it',
    description:
      'An e-mail address, the beginning of a name, an id, the last 4 to 8 characters of a token or all of it, a client reference, a payment at a gateway, the request that created a task, the URL of a result, or a page. A POST, because a text may be a secret, and URLs are logged on the way.',
    get body() {
      return SearchBody();
    },
    success: {
      status: 200,
      get data() {
        return SearchResult();
      },
    },
    errors: [],
    example: { body: { text: 'ana@example.com' }, data: { found: [], hasMore: false } },
  },
} as const satisfies Record<string, OperateContract>;
