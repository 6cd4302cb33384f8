/** Lists objects: newest first, filtered by their creation and page by page. */
import * as z from 'zod';
import { missing } from './stripe-fault.ts';

const seconds = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);

export const Page = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(10),
  starting_after: z.string().optional(),
  created: z.strictObject({ gte: seconds.optional(), lt: seconds.optional() }).optional(),
});

export type Page = z.output<typeof Page>;

interface Listed {
  readonly id: string;
  readonly created: number;
}

export function listPage(
  objects: readonly Listed[],
  { limit, starting_after: after, created: { gte = 0, lt = Number.POSITIVE_INFINITY } = {} }: Page,
  { kind, url }: Record<'kind' | 'url', string>,
) {
  const found = objects.filter(({ created }) => created >= gte && created < lt);
  const first = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && first === 0) throw missing(kind, after, 'starting_after');
  const data: readonly object[] = found.slice(first, first + limit);
  return { object: 'list', data, has_more: found.length > first + limit, url };
}
