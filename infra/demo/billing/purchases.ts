/** The orders of the demo: what payers do, and what must follow. */

import type { EventFate } from '../../../fakes/event-sender.ts';
import type { OrderStatus } from '../../../shared/contracts/order-statuses.ts';
import type { CaseKind } from '../../../shared/domain/billing/billing-case.ts';
import type { PixButton } from './pix-page.ts';

interface Act {
  readonly press: PixButton;
  /** How the event of it is sent; `at once` if it is not given. */
  readonly events?: EventFate;
  /** The expected status of the order. */
  readonly status: OrderStatus;
}

export interface Purchase {
  readonly name: string;
  readonly packId: string;
  readonly acts: readonly Act[];
  /** The expected ledger rows. */
  readonly rows: readonly (readonly [amount: number, reason: string])[];
  readonly cases?: readonly CaseKind[];
}

const pay = { press: 'pay', status: 'paid' } as const;

export const purchases: readonly [Purchase, ...Purchase[]] = [
  { name: 'paid', packId: 'pack-500', acts: [{ ...pay, events: 'twice' }], rows: [[500, 'purchase']] },
  {
    name: 'paid-twice',
    packId: 'pack-100',
    acts: [pay, pay],
    rows: [[100, 'purchase']],
    cases: ['second-payment'],
  },
  { name: 'expired', packId: 'pack-100', acts: [{ press: 'expire', status: 'expired' }], rows: [] },
  {
    name: 'paid-late',
    packId: 'pack-100',
    acts: [{ press: 'expire', status: 'expired' }, pay],
    rows: [[100, 'purchase']],
  },
  {
    name: 'refunded',
    packId: 'pack-100',
    acts: [pay, { press: 'refund', status: 'refunded' }],
    rows: [
      [100, 'purchase'],
      [-100, 'refund'],
    ],
  },
  {
    name: 'attacked',
    packId: 'pack-100',
    acts: [
      { press: 'pay', events: 'lost', status: 'pending' },
      { press: 'notify', events: 'forged', status: 'pending' },
      { press: 'notify', events: 'stale', status: 'pending' },
      { press: 'notify', events: 'at once', status: 'paid' },
    ],
    rows: [[100, 'purchase']],
  },
];
