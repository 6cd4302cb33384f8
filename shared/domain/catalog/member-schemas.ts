/** The JSON Schemas of a row's members, from which forms are made. */
import * as z from 'zod';
import type { CatalogMembers } from './catalog-row.ts';

/** Rules that JSON Schema cannot express are checked only when a row is changed. */
export const memberSchemas = (members: CatalogMembers): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, { schema }]) => [
      name,
      { ...z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) },
    ]),
  );
