/** Reads the rows of a list page by page. */
import type { AnyRequest } from './call.ts';

export interface Paging {
  /** The member of a page that holds its rows. */
  readonly member: string;
  /** The member of a row to pass as `after`. */
  readonly id: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * An empty page is the end of the list. A page with few rows need not be, because rows that cannot be read are left
 * out.
 */
export async function* eachRow(
  readPage: (request: AnyRequest) => Promise<{ readonly data: unknown }>,
  { member, id }: Paging,
  request: AnyRequest = {},
): AsyncGenerator<unknown, void, void> {
  for (let query: NonNullable<AnyRequest['query']> = { ...request.query, limit: request.query?.limit ?? 100 }; ; ) {
    const { data } = await readPage({ ...request, query });
    const rows = (data as Readonly<Record<string, readonly Row[]>>)[member] ?? [];
    if (rows.length === 0) return;
    yield* rows;
    const after = String(rows.at(-1)?.[id]);
    query = { ...query, offset: undefined, after };
  }
}
