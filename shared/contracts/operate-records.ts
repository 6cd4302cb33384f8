/** What operators are shown of cases and of the catalog. */
import * as z from 'zod';
import { id, oneOf, shortText, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';

const Case = once(() =>
  z
    .object({
      caseId: shortText().describe('The id of the case.'),
      kind: shortText().describe('Why the payment needs a decision.'),
      orderId: id().describe('The order that the payment is for.'),
      accountId: shortText().nullable().describe('The account of the order; null if there is no order.'),
      email: shortText(320).nullable().describe('The e-mail address of the account’s owner, if it is known.'),
      gateway: shortText().describe('The payment gateway.'),
      paymentId: shortText(255).describe('The payment at the gateway.'),
      amount: z.number().describe('The amount of the payment.'),
      orderAmount: z
        .number()
        .nullable()
        .describe(
          'What the order costs, if it is for a credit pack: renewals of subscriptions may cost something else.',
        ),
      currency: shortText().describe('Its currency.'),
      missingCredits: z.int().min(0).nullable().describe('The credits that were not taken back.'),
      createdAt: timestamp().describe('When the case was opened.'),
      resolvedAt: timestamp().nullable().describe('When it was resolved.'),
      resolution: shortText(1000).nullable().describe('How it was resolved.'),
    })
    .meta({ id: 'Case' }),
);

const Cases = once(() => z.object({ cases: z.array(Case()).max(100).describe('Oldest first.') }).meta({ id: 'Cases' }));

const CatalogRow = once(() =>
  z
    .object({
      row: shortText().describe('The name of the row.'),
      members: z.record(z.string(), z.unknown()).describe('The current values, defaults included.'),
      stored: z.array(shortText()).max(100).describe('Members that replace a default.'),
      schemas: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .describe('The JSON Schema of each member, from which forms are made.'),
      ignored: z.array(shortText()).max(100).describe('Stored members that are invalid, so that defaults apply.'),
    })
    .meta({ id: 'ShownCatalogRow' }),
);

const Catalog = once(() => z.object({ rows: z.array(CatalogRow()).max(20) }).meta({ id: 'ShownCatalog' }));

const casesQuery = once(() =>
  z.object({
    status: oneOf(['open', 'all']).default('open').describe('`all` also lists the latest resolved cases.'),
  }),
);

export const operateRecordContracts = {
  listCases: {
    operationId: 'listCases',
    method: 'GET',
    path: '/operate/api/cases',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the cases',
    description:
      'Payments that need a decision: the hundred oldest that are open, or the hundred with the latest orders.',
    get query() {
      return casesQuery();
    },
    success: {
      status: 200,
      rows: 'cases',
      get data() {
        return Cases();
      },
    },
    errors: [],
    example: { data: { cases: [] } },
  },
  getCatalog: {
    operationId: 'getCatalog',
    method: 'GET',
    path: '/operate/api/catalog',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get the catalog',
    description: 'Plans, packs, coupons, prices, the Studio, switches, routes, voices and prices of engines, uncached.',
    success: {
      status: 200,
      get data() {
        return Catalog();
      },
    },
    errors: [],
    example: { data: { rows: [{ row: 'packs', members: {}, stored: [], schemas: {}, ignored: [] }] } },
  },
} as const satisfies Record<string, OperateContract>;
