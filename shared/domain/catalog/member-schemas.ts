/** The JSON Schemas of the catalog's members, from which forms are made: bundles contain them, not the code that makes them. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { CatalogRowName } from './catalog-row.ts';
import { catalogRows } from './catalog-rows.ts';

type Schemas = Readonly<Record<string, Record<string, unknown>>>;

/** Rules that JSON Schema cannot express are checked only when a row is changed. */
const schemaOf = (schema: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
});

/** Only the defaults of members depend on the engines of a service. */
const noEngines = () => [];

export const memberSchemas = once(
  () =>
    Object.fromEntries(
      Object.values(catalogRows).map(({ name, members }) => [
        name,
        Object.fromEntries(
          Object.entries(members(noEngines)).map(([member, { schema }]) => [member, schemaOf(schema())]),
        ),
      ]),
    ) as Readonly<Record<CatalogRowName, Schemas>>,
);
