/**
 * The reference that a payment or subscription has at its gateway: it identifies the service, the stage and the order.
 */

/**
 * Builds the reference. With a stage name of the maximum length (20 characters), it has the 64 characters that Mercado
 * Pago accepts.
 */
export const referenceOf = (orderId: string, stageName: string): string =>
  `generation_${stageName}_${orderId.replaceAll('-', '')}`;

/** The order's id; undefined if the reference belongs to another stage or to another system of the same seller. */
export function orderIdIn(reference: string, stageName: string): string | undefined {
  const [, ...parts] = /^.*_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(reference) ?? [];
  const orderId = parts.join('-');
  return orderId && reference === referenceOf(orderId, stageName) ? orderId : undefined;
}
