/** What anybody may ask without a token. */
import * as z from 'zod';
import { credits, money, timestamp } from './fields.ts';
import type { OperationContract } from './operation.ts';

const Plan = z
  .object({
    id: z.string(),
    name: z.string(),
    priceMonthly: money(),
    priceAnnual: money(),
    currency: z.literal('BRL'),
    credits: credits().describe('Credits granted every month.'),
    features: z.array(z.string()).describe('Lines to display.'),
  })
  .meta({ id: 'Plan' });

const CreditPack = z
  .object({
    id: z.string(),
    name: z.string(),
    credits: credits(),
    price: money(),
    currency: z.literal('BRL'),
    isPopular: z.boolean(),
  })
  .meta({ id: 'CreditPack' });

const Plans = z
  .object({
    plans: z.array(Plan),
    creditPacks: z.array(CreditPack),
    showAnnualToggle: z.boolean(),
    annualBadge: z.string(),
  })
  .meta({ id: 'Plans' });

const Check = z.enum(['ok', 'failing']);

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    time: timestamp(),
    checks: z.object({ database: Check, storage: Check, queue: Check }),
  })
  .meta({ id: 'Health' });

export const publicContracts = {
  listPlans: {
    operationId: 'listPlans',
    method: 'GET',
    path: '/api/v1/plans',
    tag: 'Public',
    scopes: [],
    idempotent: false,
    summary: 'Lists the plans and credit packs on sale',
    description:
      'Prices are decimal numbers in the main unit of `currency`: 49.9 is R$ 49,90. Caches may keep it 60 seconds.',
    success: { status: 200, data: Plans, cacheControl: 'public, s-maxage=60' },
    errors: [],
    example: {
      data: {
        plans: [
          {
            id: 'starter',
            name: 'Starter',
            priceMonthly: 49.9,
            priceAnnual: 479,
            currency: 'BRL',
            credits: 500,
            features: ['500 credits a month'],
          },
        ],
        creditPacks: [
          { id: 'pack-100', name: '100 credits', credits: 100, price: 19.9, currency: 'BRL', isPopular: false },
        ],
        showAnnualToggle: true,
        annualBadge: '2 months free',
      },
    },
  },
  getHealth: {
    operationId: 'getHealth',
    method: 'GET',
    path: '/api/v1/health',
    tag: 'Public',
    scopes: [],
    idempotent: false,
    summary: 'Tells whether the service and its parts work',
    description:
      'Always HTTP 200 while the API can answer; `status` is `degraded` when a part is `failing`, and `checks` says which.',
    success: { status: 200, data: Health },
    errors: [],
    example: {
      data: {
        status: 'ok',
        version: '1.0.0',
        time: '2026-11-21T12:00:00.000Z',
        checks: { database: 'ok', storage: 'ok', queue: 'ok' },
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
