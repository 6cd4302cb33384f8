/** Operations that return an account's own profile and credits. */
import * as z from 'zod';
import { features } from './features.ts';
import { credits, id, idOf, oneOf, page, paging, shortText, timestamp } from './fields.ts';
import { ledgerReasons } from './ledger-reasons.ts';
import { requestsPerMinute, simultaneousTasks } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';

const Feature = once(() => oneOf(features).meta({ id: 'Feature' }));

const Profile = once(() =>
  z
    .object({
      id: id().describe('The id of the account.'),
      email: shortText(320).describe('The e-mail address of its owner.'),
      name: shortText().describe('The name of its owner.'),
      plan: z
        .object({
          id: shortText().describe('The id of the plan.'),
          name: shortText().describe('The display name of the plan.'),
        })
        .nullable()
        .describe('The plan that the account is subscribed to, or null.'),
      features: z.array(Feature()).max(features.length).describe('What the plan includes.'),
      limits: z
        .object({
          requestsPerMinute: z
            .int()
            .min(1)
            .describe('The number of requests that each token may make in any 60 seconds.'),
          simultaneousTasks: z.int().min(1).describe('The number of tasks that may be open at the same time.'),
        })
        .describe('The limits of the account.'),
      createdAt: timestamp().describe('When the account was created.'),
    })
    .meta({ id: 'Profile', description: 'The account of a token.' }),
);

const CreditReason = once(() => oneOf(ledgerReasons).meta({ id: 'CreditReason' }));

const CreditHistoryItem = once(() =>
  z
    .object({
      id: id().describe('The id of the entry.'),
      amount: z
        .int()
        .describe('Positive when credits are added, negative when they are consumed or a purchase is refunded.'),
      reason: CreditReason().describe(
        'Why the balance changed. `refund` is positive for the returned credits of a task, and negative for the credits of a purchase whose payment was refunded.',
      ),
      toolId: shortText()
        .nullable()
        .describe('The `taskType` that consumed the credits or returned them; null otherwise.'),
      description: shortText(500).describe('Free text to display.'),
      createdAt: timestamp().describe('When the balance changed.'),
    })
    .meta({ id: 'CreditHistoryItem', description: 'One change of the balance.' }),
);

const CreditHistory = once(() =>
  z
    .object({
      balance: credits().describe('The current balance in credits.'),
      history: z.array(CreditHistoryItem()).max(100).describe('Newest first.'),
      ...page(),
    })
    .meta({ id: 'CreditHistory', description: 'The balance and a page of its history.' }),
);

const historyQuery = once(() => z.object(paging(idOf('history entry'))));

export const accountContracts = {
  getProfile: {
    operationId: 'getProfile',
    method: 'GET',
    path: '/api/v1/profile',
    tag: 'Account',
    scopes: ['read:profile'],
    idempotent: false,
    dashboard: true,
    summary: "Get the account's profile",
    description:
      'The account that the token belongs to, its plan, the features that the plan includes and the limits that apply.',
    success: {
      status: 200,
      get data() {
        return Profile();
      },
    },
    errors: [],
    example: {
      data: {
        id: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
        email: 'ana@example.com',
        name: 'Ana',
        plan: { id: 'business', name: 'Business' },
        features: ['cortes', 'studio', 'piloto'],
        limits: { requestsPerMinute, simultaneousTasks },
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    },
  },
  listCreditHistory: {
    operationId: 'listCreditHistory',
    method: 'GET',
    path: '/api/v1/credits',
    tag: 'Account',
    scopes: ['read:usage'],
    idempotent: false,
    dashboard: true,
    summary: 'Get the credit balance and its history',
    description:
      'The history is listed newest first, and all its amounts add up to `balance`. To read all of it, pass the id of the last entry that you received as `after` until the list is empty.',
    get query() {
      return historyQuery();
    },
    success: {
      status: 200,
      rows: 'history',
      get data() {
        return CreditHistory();
      },
    },
    errors: [],
    example: {
      data: {
        balance: 997,
        history: [
          {
            id: '0193a5c4-8f10-7c44-8a01-5b6c7d8e9f00',
            amount: -1,
            reason: 'generation',
            toolId: 'voice',
            description: 'voice, task 0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162',
            createdAt: '2026-11-21T12:00:05.000Z',
          },
        ],
        limit: 20,
        offset: 0,
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
