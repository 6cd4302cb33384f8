/** Entries of the permission table for payment events and reconciliations. */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';

/** Applies a payment to its order. */
export const appliesPayments = {
  table: {
    get: ['account', 'case', 'order'],
    query: ['case'],
    put: ['case', 'ledger'],
    update: ['account', 'case', 'figures', 'order'],
  },
  secrets: ['payments'],
} as const satisfies FunctionGrants;

const { get: read, put: written } = appliesPayments.table;

const processesEvents = {
  ...appliesPayments,
  table: { ...appliesPayments.table, get: [...read, 'paymentEvent'], put: [...written, 'paymentEvent'] },
} as const satisfies FunctionGrants;

/** Applies a gateway's report to a subscription. */
export const appliesReports = {
  table: {
    get: ['account', 'case', 'coupon', 'order', 'subscription'],
    query: ['case', 'invoice', 'subscription'],
    put: ['case', 'coupon', 'invoice', 'ledger'],
    update: ['account', 'case', 'coupon', 'figures', 'invoice', 'order', 'subscription'],
  },
  secrets: ['subscriptions'],
} as const satisfies FunctionGrants;

export const paymentGrants = {
  receivePaymentEvent: { ...processesEvents, paymentQueue: ['send'] },
  receiveSubscriptionEvent: { ...appliesReports, paymentQueue: ['send'] },
  processPaymentEvent: {
    table: {
      ...appliesReports.table,
      get: [...processesEvents.table.get, 'coupon', 'subscription'],
      put: [...processesEvents.table.put, 'coupon', 'invoice'],
    },
    paymentQueue: ['receive'],
    secrets: ['payments', 'subscriptions'],
  },
  reconcileOrders: {
    ...appliesPayments,
    table: {
      ...appliesPayments.table,
      list: ['pendingOrders', 'openCases'],
      get: [...appliesPayments.table.get, 'reconciliation'],
      put: [...appliesPayments.table.put, 'reconciliation'],
    },
  },
  reconcileSubscriptions: {
    ...appliesReports,
    table: {
      ...appliesReports.table,
      list: ['openSubscriptions'],
      get: [...appliesReports.table.get, 'reconciliation'],
      put: [...appliesReports.table.put, 'reconciliation'],
    },
  },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
