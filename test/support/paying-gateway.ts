/** An outside party that charges once for each of its idempotency keys, whatever the repeat asks for, as gateways do. */
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
