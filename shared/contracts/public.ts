/** Operations that need no token. */
import * as z from 'zod';
import { genders } from '../catalog/voices.ts';
import { Currency, credits, money, oneOf, serviceUrl, shortText, timestamp } from './fields.ts';
import { offersLimit, planLinesLimit, voicesLimit } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';

const Plan = once(() =>
  z
    .object({
      id: shortText().describe('The id of the plan.'),
      name: shortText().describe('The display name.'),
      priceMonthly: money().describe('The price of one month, when paid monthly.'),
      priceAnnual: money().describe('The price of one year, when paid annually.'),
      currency: Currency().describe('The currency of the prices.'),
      credits: credits().describe('Credits granted every month.'),
      features: z.array(shortText()).max(planLinesLimit).describe('Bullet points to display.'),
    })
    .meta({ id: 'Plan', description: 'A subscription plan.' }),
);

const CreditPack = once(() =>
  z
    .object({
      id: shortText().describe('The id of the pack.'),
      name: shortText().describe('The display name.'),
      credits: credits().describe('Credits in the pack.'),
      price: money().describe('The price of the pack.'),
      currency: Currency().describe('The currency of the price.'),
      isPopular: z.boolean().describe('Whether to highlight the pack.'),
    })
    .meta({ id: 'CreditPack', description: 'A one-time purchase of credits.' }),
);

const PlanList = once(() =>
  z
    .object({
      plans: z.array(Plan()).max(offersLimit).describe('In display order.'),
      creditPacks: z.array(CreditPack()).max(offersLimit).describe('In display order.'),
      showAnnualToggle: z.boolean().describe('Whether to offer annual payment.'),
      annualBadge: shortText().describe('What to display beside the annual price.'),
    })
    .meta({ id: 'PlanList', description: 'The plans and packs on sale.' }),
);

const Voice = once(() =>
  z
    .object({
      id: shortText().describe(
        "The engine's own id of the voice, which `voiceId` accepts. An engine without ids has the `slug` here: choose the voice by `voice`.",
      ),
      slug: shortText().nullable().describe('What `voice` accepts; null for a voice that is chosen by `voiceId`.'),
      name: shortText().describe('The display name.'),
      language: shortText().describe('The language of its accent, as a BCP 47 tag.'),
      gender: oneOf(genders).describe('How the voice sounds.'),
      style: shortText().nullable().describe('How it speaks, in a word; null if that is unknown.'),
      previewUrl: serviceUrl().nullable().describe('A recording of the voice; null: there is none.'),
    })
    .meta({ id: 'Voice', description: 'A voice that speaks Portuguese, English and Spanish.' }),
);

const VoiceList = once(() =>
  z
    .object({ voices: z.array(Voice()).max(voicesLimit).describe('Those with a `slug` first.') })
    .meta({ id: 'VoiceList', description: 'The voices of the service.' }),
);

const HealthCheck = once(() => oneOf(['ok', 'failing']).meta({ id: 'HealthCheck' }));

const Health = once(() =>
  z
    .object({
      status: z.enum(['ok', 'degraded']).describe('`degraded` when a check is failing.'),
      version: shortText().describe('The version of the service.'),
      time: timestamp().describe('The time of the check.'),
      checks: z
        .object({
          database: HealthCheck().describe('Tasks, accounts and credits.'),
          storage: HealthCheck().describe('Results.'),
          queue: HealthCheck().describe('Webhooks.'),
        })
        .describe('The parts of the service.'),
    })
    .meta({ id: 'Health', description: 'The health of the service.' }),
);

export const publicContracts = {
  listPlans: {
    operationId: 'listPlans',
    method: 'GET',
    path: '/api/v1/plans',
    tag: 'Public',
    scopes: [],
    idempotent: false,
    dashboard: true,
    summary: 'List plans and credit packs',
    description:
      'Prices are decimal numbers in the main unit of `currency`: 49.9 is R$ 49,90. Shared caches may store the response for 60 seconds.',
    success: {
      status: 200,
      get data() {
        return PlanList();
      },
      cacheControl: 'public, s-maxage=60',
    },
    errors: [],
    example: {
      data: {
        plans: [
          {
            id: 'starter',
            name: 'Starter',
            priceMonthly: 49.9,
            priceAnnual: 499,
            currency: 'BRL',
            credits: 500,
            features: ['500 credits a month', 'Images, videos and voice by API'],
          },
        ],
        creditPacks: [
          { id: 'pack-100', name: '100 credits', credits: 100, price: 14.9, currency: 'BRL', isPopular: false },
        ],
        showAnnualToggle: true,
        annualBadge: '2 months free',
      },
    },
  },
  listVoices: {
    operationId: 'listVoices',
    method: 'GET',
    path: '/api/v1/voices',
    extension: true,
    tag: 'Public',
    scopes: [],
    idempotent: false,
    dashboard: true,
    summary: 'List voices',
    description:
      'What `voice` of `generateVoice` and `changeVoice` accepts, and what each voice is like. Shared caches may store the response for five minutes.',
    success: {
      status: 200,
      get data() {
        return VoiceList();
      },
      cacheControl: 'public, s-maxage=300',
    },
    errors: [],
    example: {
      data: {
        voices: [
          {
            id: 'EXAVITQu4vr4xnSDxMaL',
            slug: 'sarah',
            name: 'Sarah',
            language: 'en-US',
            gender: 'female',
            style: 'soft',
            previewUrl: null,
          },
        ],
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
    summary: 'Check the health of the service',
    description:
      'Always HTTP 200 while the API can respond; `checks`, at most five seconds old, shows which part is `failing`.',
    success: {
      status: 200,
      get data() {
        return Health();
      },
    },
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
