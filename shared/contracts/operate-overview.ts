/** What operators see of the whole service: the figures of a day, and what needs attention now. */
import * as z from 'zod';
import { day } from './day-field.ts';
import { oneOf, shortText, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';

export const figureGroups = ['operation', 'engine', 'account'] as const;

/** The most rows of a day's figures: more accounts than that may have tasks on a day. */
export const shownFigures = 100;

const count = () => z.int().min(0);

const FigureRow = once(() =>
  z
    .object({
      name: shortText().describe('The operation, engine or account.'),
      email: shortText(320).nullable().describe('The e-mail address of the account’s owner, if it is known.'),
      tasks: count().describe('Tasks that ended on the day.'),
      failed: count().describe('Tasks that failed.'),
      failures: z.record(z.string(), count()).describe('The number of failures by error code.'),
      credits: z.int().describe('The credits of completed tasks.'),
      refunded: z.int().describe('The credits that failed tasks got back.'),
      worthMicros: z.int().describe('What the credits are worth, in millionths of a dollar.'),
      costMicros: z.int().describe('What the engines charge.'),
      marginMicros: z.int().describe('The difference.'),
    })
    .meta({ id: 'FigureRow' }),
);

const Figures = once(() =>
  z
    .object({
      day: shortText().describe('The day (UTC).'),
      by: z.enum(figureGroups).describe('What the rows are about.'),
      rows: z.array(FigureRow()).max(shownFigures).describe('Those with most tasks, at most a hundred.'),
      totals: z.object({
        creditsSold: z.int().describe('Credits sold.'),
        creditsGiven: z.int().describe('Credits given.'),
        creditsTaken: z.int().describe('Credits taken back with a returned payment.'),
        unusedChange: z.int().describe('How many more credits are unused than at the beginning of the day.'),
        unused: z
          .int()
          .nullable()
          .describe('The unused credits of all accounts at the end of the day, or now; null if they are not known.'),
        revenueCents: z.record(z.string(), z.int()).describe('Cents paid, by what was bought and the gateway.'),
        returnedCents: z.record(z.string(), z.int()).describe('Cents returned, by the same.'),
        engineCostMicros: z
          .record(z.string(), z.int())
          .describe('What engines charge, in millionths of a dollar, by engine.'),
      }),
    })
    .meta({ id: 'Figures' }),
);

const Attention = once(() =>
  z
    .object({
      circuits: z
        .array(
          z.object({
            route: shortText().describe('The route of an engine.'),
            openUntil: timestamp().nullable().describe('Until when it is closed to all accounts.'),
            accounts: count().describe('How many accounts it is closed to alone.'),
          }),
        )
        .max(200)
        .describe('Routes that reject tasks after failures of their engine.'),
      openTasks: z
        .object({
          atLeast: count().describe('How many tasks are open, of those that are checked next.'),
          oldestAt: timestamp().nullable().describe('When the oldest of them was created.'),
          overdue: count().describe('How many are past their deadline.'),
        })
        .describe('Of the tasks that are checked next, at most 80.'),
      failedWebhooks: count().describe(
        'Webhooks whose last attempt failed today or yesterday (UTC), and that were not sent again; at most 192, without test tokens.',
      ),
      openCases: count().describe('Payments that need a decision, at most 100.'),
      switchedOff: z.array(shortText()).max(100).describe('Operations that are switched off.'),
    })
    .meta({ id: 'Attention' }),
);

const figuresQuery = once(() =>
  z.object({
    day: day().optional().describe('The day (UTC); today by default.'),
    by: oneOf(figureGroups).default('operation').describe('What the rows are about.'),
  }),
);

export const operateOverviewContracts = {
  getFigures: {
    operationId: 'getFigures',
    method: 'GET',
    path: '/operate/api/figures',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get the figures of a day',
    description: 'Tasks, failures, credits, payments, what engines charge, and the margin.',
    get query() {
      return figuresQuery();
    },
    success: {
      status: 200,
      get data() {
        return Figures();
      },
    },
    errors: [],
    example: {
      data: {
        day: '2026-11-21',
        by: 'operation',
        rows: [],
        totals: {
          creditsSold: 0,
          creditsGiven: 0,
          creditsTaken: 0,
          unusedChange: 0,
          unused: 0,
          revenueCents: {},
          returnedCents: {},
          engineCostMicros: {},
        },
      },
    },
  },
  getAttention: {
    operationId: 'getAttention',
    method: 'GET',
    path: '/operate/api/attention',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get what needs attention',
    description:
      'Engines that are paused, old open tasks, failed webhooks, cases, and operations that are switched off.',
    success: {
      status: 200,
      get data() {
        return Attention();
      },
    },
    errors: [],
    example: {
      data: {
        circuits: [],
        openTasks: { atLeast: 0, oldestAt: null, overdue: 0 },
        failedWebhooks: 0,
        openCases: 0,
        switchedOff: [],
      },
    },
  },
} as const satisfies Record<string, OperateContract>;
