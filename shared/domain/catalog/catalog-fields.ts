/** Schemas of fields that several rows of the catalog have. */
import * as z from 'zod';

export const label = () => z.string().min(1).max(120);
export const credits = () => z.int().min(1).max(1_000_000_000);
export const cents = () => z.int().min(0).max(1_000_000_000);

export const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

export const listOf = <Entry extends z.ZodType<{ readonly id: string }>>(entry: Entry, maximum: number) =>
  z
    .array(entry)
    .max(maximum)
    .refine((entries) => isUnique(entries.map(({ id }) => id)), { error: 'ids must be unique' });
