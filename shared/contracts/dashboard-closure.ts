/** Dashboard operations that close the account and open it again. */
import * as z from 'zod';
import { Confirmation, confirmation } from './dashboard-confirmation.ts';
import { id, timestamp } from './fields.ts';
import { closedAccountDays, daysBetweenReopenings } from './limits.ts';
import { once } from './once.ts';
import type { DashboardContract } from './operation.ts';

/** When an account was closed, when it will be erased, and whether its owner can prevent that. */
export const Closure = once(() =>
  z
    .object({
      closedAt: timestamp().describe('When the account was closed.'),
      eraseAt: timestamp().describe('Until when it can be opened again; after that, it is erased.'),
      isReopenable: z
        .boolean()
        .describe(
          `Whether the owner can open it again now: false within ${daysBetweenReopenings} days after doing so, and if an operator has closed it as well. An operator still can.`,
        ),
    })
    .meta({ id: 'Closure' }),
);

const OpenedAccount = once(() =>
  z.object({ accountId: id().describe('The id of the account, which is open.') }).meta({ id: 'OpenedAccount' }),
);

export const dashboardClosureContracts = {
  closeAccount: {
    operationId: 'closeAccount',
    method: 'POST',
    path: '/account/api/closure',
    idempotent: false,
    isForClosed: true,
    summary: 'Close the account',
    description: `Tokens stop at once, and all other sessions end. Within minutes open tasks are canceled and refunded, unpaid orders and subscriptions canceled. The session that asks can only open the account again, for ${closedAccountDays} days; so can a new log-in. After that the account is erased: texts, files, results, connected pages and the user who logs in. What tax law requires stays without a name: the ledger, orders and payments. Closing a closed account again changes nothing.

Needs ${confirmation}`,
    get body() {
      return Confirmation();
    },
    success: {
      status: 200,
      get data() {
        return Closure();
      },
    },
    errors: ['CONFIRMATION_REQUIRED', 'WRONG_PASSWORD'],
    example: {
      body: {},
      data: { closedAt: '2026-11-21T12:00:00.000Z', eraseAt: '2026-11-28T12:00:00.000Z', isReopenable: true },
    },
  },
  reopenAccount: {
    operationId: 'reopenAccount',
    method: 'DELETE',
    path: '/account/api/closure',
    idempotent: false,
    isForClosed: true,
    summary: 'Open the account again',
    description: `Undoes the closing. Tokens stay revoked, and what was canceled stays canceled. Only accounts that their owner closed here can be opened here, and only once in ${daysBetweenReopenings} days: after that, an operator can open it. Opening an open account changes nothing.`,
    success: {
      status: 200,
      get data() {
        return OpenedAccount();
      },
    },
    errors: ['CLOSURE_FINAL'],
    example: { data: { accountId: '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d' } },
  },
} as const satisfies Record<string, DashboardContract>;
