/** What acts on orders, subscriptions and cases need, and who may perform them. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import type { ActForms } from './act-form.ts';

const orderInput = () => z.strictObject({ order: id() });

export const billingForms = {
  settleOrder: {
    name: 'settleOrder',
    role: 'support',
    summary: 'Credit an order that its payment gateway says is paid.',
    input: orderInput,
  },
  cancelOrder: {
    name: 'cancelOrder',
    role: 'support',
    summary: 'Cancel an order of a pack that waits for its payment, here and at the payment gateway.',
    input: orderInput,
  },
  cancelSubscription: {
    name: 'cancelSubscription',
    role: 'support',
    summary: 'Cancel a subscription at its gateway; nothing is returned, and what was paid lasts until its end.',
    input: () => z.strictObject({ subscription: id(), when: z.enum(['period-end', 'now']).default('period-end') }),
  },
  resolveCase: {
    name: 'resolveCase',
    role: 'support',
    summary: 'Close a case, with what was done about it as the reason; nothing else changes.',
    input: () => z.strictObject({ case: z.string().max(100) }),
  },
} as const satisfies ActForms;
