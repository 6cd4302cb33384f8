/**
 * Presents objects in responses: fields that require `expand` are omitted, or given as ids, unless they are requested.
 */

import { paymentsOf } from './invoices.ts';
import { StripeFault } from './stripe-fault.ts';
import { idOf } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';

type Path = readonly string[];

const listOf = (url: string, data: readonly object[]) => ({ object: 'list', data, has_more: false, url });

function lineItems({ records }: StripeWorld, id: string): object[] {
  const session = records.find('checkout.session', id);
  const details = records.find('sandbox.checkout', `sandbox.${id}`);
  const price = details && records.find('price', details.priceId);
  if (!session || !price) return [];
  const product = records.find('product', idOf(price.product));
  return [
    {
      id: `li_${id.slice(8)}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: session.total_details?.amount_discount ?? 0,
      amount_subtotal: session.amount_subtotal ?? 0,
      amount_tax: 0,
      amount_total: session.amount_total ?? 0,
      currency: price.currency,
      description: product?.name ?? null,
      metadata: {},
      price,
      quantity: details.quantity,
    },
  ];
}

/** Fields that are included only on request, by type of object. */
const includable: Readonly<Record<string, Readonly<Record<string, (world: StripeWorld, id: string) => object>>>> = {
  'checkout.session': {
    line_items: (world, id) => listOf(`/v1/checkout/sessions/${id}/line_items`, lineItems(world, id)),
  },
  charge: {
    refunds: ({ records }, id) =>
      listOf(
        `/v1/charges/${id}/refunds`,
        records.all('refund').filter(({ charge }) => charge === id),
      ),
  },
  invoice: { payments: (world, id) => listOf(`/v1/invoice_payments?invoice=${id}`, paymentsOf(world, id)) },
};

const behind = (name: string, paths: readonly Path[]): Path[] =>
  paths.filter(([first]) => first === name).map((path) => path.slice(1));

const unknown = (name: string): StripeFault =>
  new StripeFault(`This property cannot be expanded (${name}).`, { param: 'expand' });

function presentFields(world: StripeWorld, object: object, paths: readonly Path[]): object {
  const { object: kind = '', id = '' } = object as { readonly object?: string; readonly id?: string };
  const fields: Record<string, unknown> = { ...object };
  const more = includable[kind] ?? {};
  for (const [name] of paths.filter(([first]) => first !== undefined)) {
    if (name === undefined) continue;
    const include = more[name];
    if (include) fields[name] = include(world, id);
    else if (!Object.hasOwn(fields, name)) throw unknown(name);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const inside = behind(name, paths);
      return [name, present(world, value, inside, name)];
    }),
  );
}

function expanded(world: StripeWorld, id: string, paths: readonly Path[], name: string): unknown {
  if (paths.length === 0) return id;
  const object = world.records.named(id);
  if (!object) throw unknown(name);
  return presentFields(
    world,
    object,
    paths.filter(({ length }) => length > 0),
  );
}

function present(world: StripeWorld, value: unknown, paths: readonly Path[], name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => present(world, one, paths, name));
  if (typeof value === 'string') return expanded(world, value, paths, name);
  if (typeof value !== 'object' || value === null) return value;
  return presentFields(
    world,
    value,
    paths.filter(({ length }) => length > 0),
  );
}

const deepest = 4;

/** Presents an object. @throws {StripeFault} if a field cannot be expanded */
export function presentObject(world: StripeWorld, object: object, expand: readonly string[]): object {
  const paths = expand.map((path) => path.split('.'));
  const tooDeep = paths.find(({ length }) => length > deepest);
  if (tooDeep) {
    throw new StripeFault(
      `You cannot expand more than ${deepest} levels of a property. Property: ${tooDeep.join('.')}`,
      {
        code: 'property_expansion_max_depth',
        param: 'expand',
      },
    );
  }
  return presentFields(world, object, paths);
}
