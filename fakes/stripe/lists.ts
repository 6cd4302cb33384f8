/** Lists objects: newest first, filtered and page by page. */
import * as z from 'zod';
import { missing } from './stripe-fault.ts';

const seconds = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);

const Created = z.union([
  seconds.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({ gt: seconds.optional(), gte: seconds.optional(), lt: seconds.optional(), lte: seconds.optional() }),
]);

export const Page = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: Created.optional(),
});

export type Page = z.output<typeof Page>;

interface Listed {
  readonly id: string;
  readonly created?: number;
}

type Range = Readonly<Record<'gt' | 'gte' | 'lt' | 'lte', number | undefined>>;

const isIn = ({ gt, gte, lt, lte }: Range, at: number): boolean =>
  at > (gt ?? -1) &&
  at >= (gte ?? 0) &&
  at < (lt ?? Number.POSITIVE_INFINITY) &&
  at <= (lte ?? Number.POSITIVE_INFINITY);

function indexOf(objects: readonly Listed[], id: string, kind: string, param: string): number {
  const index = objects.findIndex((object) => object.id === id);
  if (index < 0) throw missing(kind, id, param);
  return index;
}

/** The objects of a page, and whether there are more in that direction. */
function sliced(objects: readonly Listed[], kind: string, { limit, ...page }: Page): [Listed[], boolean] {
  if (page.ending_before !== undefined) {
    const before = objects.slice(0, indexOf(objects, page.ending_before, kind, 'ending_before'));
    return [before.slice(-limit), before.length > limit];
  }
  const first =
    page.starting_after === undefined ? 0 : indexOf(objects, page.starting_after, kind, 'starting_after') + 1;
  return [objects.slice(first, first + limit), objects.length > first + limit];
}

export function listPage(
  objects: readonly Listed[],
  page: Page,
  { kind, url }: Record<'kind' | 'url', string>,
): object {
  const range = { gt: undefined, gte: undefined, lt: undefined, lte: undefined, ...page.created };
  const found = page.created ? objects.filter(({ created = 0 }) => isIn(range, created)) : objects;
  const [data, hasMore] = sliced(found, kind, page);
  return { object: 'list', data, has_more: hasMore, url };
}
