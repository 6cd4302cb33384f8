/** What an account may learn of itself. */
import * as z from 'zod';
import { credits, id, page, paging, timestamp } from './fields.ts';
import type { OperationContract } from './operation.ts';

const features = ['cortes', 'studio', 'piloto'] as const;
export type Feature = (typeof features)[number];

const Profile = z
  .object({
    id: id(),
    email: z.string(),
    name: z.string(),
    plan: z.object({ id: z.string(), name: z.string() }).nullable(),
    features: z.array(z.enum(features)).describe('What the plan entitles to.'),
    limits: z.object({ requestsPerMinute: z.int(), simultaneousTasks: z.int() }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Profile' });

const ledgerReasons = ['generation', 'purchase', 'subscription', 'bonus', 'refund', 'adjustment'] as const;
export type LedgerReason = (typeof ledgerReasons)[number];

const CreditHistoryItem = z
  .object({
    id: id(),
    amount: z.int().describe('Positive when credits come in, negative when consumed.'),
    reason: z.enum(ledgerReasons),
    toolId: z.string().nullable().describe('The `taskType` that consumed or returned the credits.'),
    description: z.string(),
    createdAt: timestamp(),
  })
  .meta({ id: 'CreditHistoryItem' });

export const accountContracts = {
  getProfile: {
    operationId: 'getProfile',
    method: 'GET',
    path: '/api/v1/profile',
    tag: 'Account',
    scopes: ['read:profile'],
    idempotent: false,
    summary: "Reads the account's profile",
    description: 'The account that the token belongs to, its plan, what the plan entitles to and the limits in force.',
    success: { status: 200, data: Profile },
    errors: [],
    example: {
      data: {
        id: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d',
        email: 'ana@example.com',
        name: 'Ana',
        plan: { id: 'business', name: 'Business' },
        features: ['cortes', 'studio', 'piloto'],
        limits: { requestsPerMinute: 60, simultaneousTasks: 20 },
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
    summary: 'Reads the credit balance and its history',
    description:
      'The history is ordered from the most recent to the oldest, and every row of it adds up to `balance`. Increase `offset` by `limit` until the list is empty.',
    query: z.object(paging),
    success: {
      status: 200,
      data: z
        .object({ balance: credits(), history: z.array(CreditHistoryItem), ...page })
        .meta({ id: 'CreditHistory' }),
    },
    errors: [],
    example: {
      data: {
        balance: 997,
        history: [
          {
            id: '0193a5c4-8f10-7c44-8a01-5b6c7d8e9f00',
            amount: -3,
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
