/** Builds the product and price that `price_data` describes. */
import type { PriceData } from './checkout-request.ts';
import type { Price, Product } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

function newProduct({ name, description, metadata }: PriceData['product_data'], created: number): Product {
  return {
    id: newId('prod'),
    object: 'product',
    active: false,
    created,
    description: description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    updated: created,
    url: null,
  };
}

export function newPrice(
  { currency, unit_amount: unitAmount, recurring, product_data: productData }: PriceData,
  created: number,
): { readonly product: Product; readonly price: Price } {
  const product = newProduct(productData, created);
  return {
    product,
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created,
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: product.id,
      recurring: { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'recurring',
      unit_amount: unitAmount,
      unit_amount_decimal: String(unitAmount),
    },
  };
}
