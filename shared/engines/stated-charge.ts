/** Reads from a response how many units a provider charges. */
import type { EngineCharge } from './engine.ts';

/** A limit on stated units that is higher than what any job takes. */
const maxUnits = 1_000_000;

/** The charge in a header; undefined if there is none, or if it is not a plain decimal number. */
export function statedCharge({ headers }: { readonly headers: Headers }, name: string): EngineCharge | undefined {
  const text = headers.get(name) ?? '';
  const units = Number(text);
  return /^\d{1,7}(?:\.\d{1,9})?$/.test(text) && units <= maxUnits ? { units } : undefined;
}
