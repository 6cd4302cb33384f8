/** The JSON Schemas of a row's members, from which forms are made. */
import * as z from 'zod';
import type { CatalogMembers } from './catalog-row.ts';

/** What JSON Schema cannot say is checked when the row is changed. */
export const memberSchemas = (members: CatalogMembers): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, { schema }]) => [
      name,
      { ...z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) },
    ]),
  );
