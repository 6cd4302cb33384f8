/** A row of the catalog: what operators can change in it, and what functions read from it. */
import type * as z from 'zod';

export const catalogRowNames = [
  'plans',
  'packs',
  'coupons',
  'prices',
  'studio',
  'switches',
  'routes',
  'voices',
  'voice-previews',
  'engine-prices',
] as const;
export type CatalogRowName = (typeof catalogRowNames)[number];

export interface CatalogMember {
  /** Builds the schema on demand, because only stored members need it. */
  readonly schema: () => z.ZodType;
  readonly byDefault: unknown;
}

export type CatalogMembers = Readonly<Record<string, CatalogMember>>;

/** A function's bundle contains only the rows that it names. */
export interface CatalogRow<Value> {
  readonly name: CatalogRowName;
  /** What operators can change; `engineNames` reads the engines of this service, in order of preference. */
  readonly members: (engineNames: () => readonly string[]) => CatalogMembers;
  /** The values that functions read, which the current members and defaults result in. */
  readonly toValue: (members: Readonly<Record<string, unknown>>, engineNames: () => readonly string[]) => Value;
}
