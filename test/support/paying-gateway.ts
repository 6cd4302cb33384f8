/** An external party that charges once per idempotency key, whatever a repeated request contains, as gateways do. */
export function payingGateway() {
  const charges = new Map<string, string>();
  return {
    charges,
    charge(outsideKey: string, toy: string): string {
      const known = charges.get(outsideKey) ?? `${toy}-${charges.size + 1}`;
      charges.set(outsideKey, known);
      return known;
    },
  };
}
