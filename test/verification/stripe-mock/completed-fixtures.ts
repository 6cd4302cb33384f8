/**
 * The fixtures of stripe-mock are drafts without an owner: this turns them into one subscription that was paid once.
 */

type Fixture = Record<string, unknown>;

interface Fixtures {
  readonly object?: unknown;
  readonly data?: readonly unknown[];
}

const completions: Readonly<Record<string, (fixture: Fixture, reference: string) => Fixture>> = {
  'checkout.session': (fixture, reference) => ({
    ...fixture,
    status: 'complete',
    mode: 'subscription',
    client_reference_id: reference,
    subscription: 'sub_1',
    amount_total: 2990,
    currency: 'brl',
  }),
  subscription: (fixture, reference) => ({ ...fixture, id: 'sub_1', metadata: { order: reference } }),
  invoice: (fixture) => ({
    ...fixture,
    id: 'in_1',
    parent: { ...Object(fixture.parent), subscription_details: { subscription: 'sub_1', metadata: null } },
    status_transitions: { ...Object(fixture.status_transitions), paid_at: fixture.created },
    payments: { ...Object(fixture.payments), data: [paidBy(fixture)] },
    lines: { ...Object(fixture.lines), data: linesOf(fixture) },
  }),
  invoice_payment: (fixture) => ({ ...fixture, invoice: 'in_1' }),
  charge: (fixture) => ({ ...fixture, payment_intent: 'pi_1', disputed: true }),
  event: (fixture, reference) => ({
    ...fixture,
    type: 'customer.subscription.updated',
    data: { object: { id: 'sub_1', metadata: { order: reference } } },
  }),
};

const monthSeconds = 30 * 24 * 3600;

/** The invoice's lines with a period of a month; in the fixtures, the period has no length. */
function linesOf({ created, lines }: Fixture): readonly Fixture[] {
  const period = { start: created, end: Number(created) + monthSeconds };
  return ((Object(lines) as Fixtures).data ?? []).map((line) => ({ ...Object(line), period }));
}

function paidBy({ payments }: Fixture): Fixture {
  const [payment] = (Object(payments) as Fixtures).data ?? [];
  return { ...Object(payment), status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } };
}

/** A response of the mock, changed so that it is about the one subscription that was paid. */
export function completed(response: unknown, reference: string): unknown {
  const { object, data } = Object(response) as Fixtures;
  if (object === 'list') return { ...Object(response), data: (data ?? []).map((one) => completed(one, reference)) };
  return completions[String(object)]?.(Object(response) as Fixture, reference) ?? response;
}
