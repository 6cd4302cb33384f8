/** What operators are shown of accounts. */
import * as z from 'zod';
import { accountContracts } from './account.ts';
import { billingContracts } from './billing.ts';
import { dashboardConnectionContracts } from './dashboard-connections.ts';
import { dashboardDeliveryContracts } from './dashboard-deliveries.ts';
import { dashboardSessionContracts } from './dashboard-sessions.ts';
import { dashboardTokenContracts } from './dashboard-tokens.ts';
import { features } from './features.ts';
import { credits, id, idOf, limitAndOffset, page, shortText, timestamp } from './fields.ts';
import { simultaneousTasks } from './limits.ts';
import { once } from './once.ts';
import { OperatedTask } from './operate-tasks.ts';
import type { OperateContract } from './operation.ts';
import { subscriptionContracts } from './subscriptions.ts';

const summary = () => ({
  accountId: shortText().describe('The id of the account.'),
  email: shortText(320).describe('The e-mail address of its owner.'),
  name: shortText(500).describe('The name of its owner.'),
  plan: shortText().nullable().describe('The id of its plan, if any.'),
  balance: credits().describe('Its credits.'),
  openTasks: z.int().min(0).describe('How many of its tasks are open.'),
  createdAt: timestamp().describe('When it was created.'),
});

const Customer = once(() => z.object(summary()).meta({ id: 'Customer' }));

const Customers = once(() =>
  z.object({ customers: z.array(Customer()).max(100).describe('Newest first.'), ...page() }).meta({ id: 'Customers' }),
);

/** How many entries of each list the page of a customer shows. */
export const shownOfCustomer = 20;

/** An order as its owner sees it, with the id that its gateway has for it. */
const OperatedOrder = once(() =>
  billingContracts.listOrders.success.data.shape.orders.element
    .omit({ pix: true })
    .extend({ gatewayReference: shortText(255).describe('The id of the payment or checkout at the gateway.') })
    .meta({ id: 'OperatedOrder' }),
);

const OperatedSubscription = once(() =>
  subscriptionContracts.getSubscription.success.data.shape.subscription
    .unwrap()
    .extend({
      isEnding: z.boolean().describe('Whether it ends at `currentPeriodEnd`; otherwise it renews then.'),
    })
    .meta({ id: 'OperatedSubscription' }),
);

/** An account with its state and limits. */
const account = () => ({
  ...summary(),
  closedAt: timestamp().nullable().describe('When it was closed; null if it is open.'),
  eraseAt: timestamp().nullable().describe('When its data will be erased, if it is closed.'),
  erasedAt: timestamp().nullable().describe('When its data was erased.'),
  features: z.array(z.enum(features)).max(features.length).describe('What its plan includes.'),
  testCredits: credits().nullable().describe('The credits of its test account, if it has one.'),
  openTaskIds: z.array(id()).max(simultaneousTasks).describe('Its open tasks, each of which takes a slot.'),
  fileTasksRejectedUntil: timestamp().nullable().describe('Until when tasks priced by files are rejected.'),
  fileTasksLimitedUntil: timestamp().nullable().describe('Until when such tasks are limited to one at a time.'),
  canceledToday: z.int().min(0).describe('How many tasks it canceled today (UTC).'),
  cancelsRejectedUntil: timestamp()
    .nullable()
    .describe('Until when it can cancel no further task, not even one of one credit; null if it can.'),
  chargedFailuresToday: z
    .int()
    .min(0)
    .describe('How many tasks failed today (UTC) by its own fault although their engines charged for them.'),
  chargedTasksRejectedUntil: timestamp().nullable().describe('Until when it can create no tasks whose engines charge.'),
  limitsLiftedBecause: shortText(500).nullable().describe('Why an operator last lifted its limits.'),
});

const CustomerPage = once(() =>
  z
    .object({
      account: z.object(account()),
      subscription: OperatedSubscription().nullable().describe('The current one, if any.'),
      history: accountContracts.listCreditHistory.success.data.shape.history,
      tasks: z.array(OperatedTask()).max(shownOfCustomer).describe('Newest first.'),
      orders: z.array(OperatedOrder()).max(shownOfCustomer).describe('Newest first.'),
      tokens: dashboardTokenContracts.listTokens.success.data.shape.tokens,
      sessions: z
        .array(dashboardSessionContracts.listSessions.success.data.shape.sessions.element.omit({ isCurrent: true }))
        .max(100)
        .describe('The sessions that have not ended, newest first.'),
      deliveries: z
        .array(dashboardDeliveryContracts.listDeliveries.success.data.shape.deliveries.element.omit({ request: true }))
        .max(shownOfCustomer)
        .describe('Those that failed, then the others; each newest first.'),
      pages: z
        .array(
          z.object({
            channel: dashboardConnectionContracts.listConnections.success.data.shape.channels.element.shape.channel,
            pageId: shortText(255).describe('The id of the page at its network.'),
            name: shortText(500).describe('The name of the page.'),
            state: shortText().describe('The state of the connection.'),
            fault: shortText(500).nullable().describe('What the last synchronization met, if anything.'),
            connectedAt: timestamp().describe('When it was connected.'),
            syncedAt: timestamp().nullable().describe('When it was last synchronized.'),
          }),
        )
        .max(10)
        .describe('The connected pages of social networks.'),
    })
    .meta({ id: 'CustomerPage' }),
);

const params = once(() => z.object({ accountId: idOf('account') }));
const customersQuery = once(() => z.object(limitAndOffset()));

const exampleId = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';
const exampleSummary = {
  accountId: exampleId,
  email: 'ana@example.com',
  name: 'Ana',
  plan: 'business',
  balance: 967,
  openTasks: 0,
  createdAt: '2026-11-21T12:00:00.000Z',
};

export const operateCustomerContracts = {
  listCustomers: {
    operationId: 'listCustomers',
    method: 'GET',
    path: '/operate/api/customers',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the accounts',
    description: 'All accounts, newest first.',
    get query() {
      return customersQuery();
    },
    success: {
      status: 200,
      rows: 'customers',
      get data() {
        return Customers();
      },
    },
    errors: [],
    example: { data: { customers: [exampleSummary], limit: 20, offset: 0 } },
  },
  getCustomer: {
    operationId: 'getCustomer',
    method: 'GET',
    path: '/operate/api/customers/{accountId}',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get an account with everything that belongs to it',
    description: `The account, and the latest ${shownOfCustomer} entries of each of its lists.`,
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return CustomerPage();
      },
    },
    errors: ['NOT_FOUND'],
    example: {
      params: { accountId: exampleId },
      data: {
        account: {
          ...exampleSummary,
          closedAt: null,
          eraseAt: null,
          erasedAt: null,
          features: ['studio'],
          testCredits: null,
          openTaskIds: [],
          fileTasksRejectedUntil: null,
          fileTasksLimitedUntil: null,
          canceledToday: 0,
          cancelsRejectedUntil: null,
          chargedFailuresToday: 0,
          chargedTasksRejectedUntil: null,
          limitsLiftedBecause: null,
        },
        subscription: null,
        history: [],
        tasks: [],
        orders: [],
        tokens: [],
        sessions: [],
        deliveries: [],
        pages: [],
      },
    },
  },
} as const satisfies Record<string, OperateContract>;
