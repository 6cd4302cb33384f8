/** Replaces a page of a list by the next one if none of its rows can be shown. */
import { offsetLimit } from '../contracts/limits.ts';
import type { RequestContract } from '../contracts/operation.ts';
import { recordingLeftOutRows } from '../domain/readable-rows.ts';

/**
 * The most pages to read, which limits the cost of one request. If all of them are empty, the returned offset is later
 * than the requested one, so the client knows that the list continues.
 */
const maxPages = 5;

interface Range {
  readonly limit: number;
  readonly offset: number;
}

const rangeIn = (query: unknown): Range | undefined => {
  const { limit, offset } = Object(query) as Partial<Range>;
  return limit === undefined || offset === undefined ? undefined : { limit, offset };
};

/** Reads pages from the requested offset on, and resolves with the first that has a row to show, or with the last one read. */
export async function shownPage<Query, Page extends { readonly data: unknown }>(
  { success: { rows: name } }: Pick<RequestContract, 'success'>,
  query: Query,
  read: (query: Query) => Promise<Page>,
): Promise<Page> {
  const range = name === undefined ? undefined : rangeIn(query);
  if (name === undefined || !range) return read(query);
  for (let pages = 1, { offset } = range; ; pages += 1, offset += range.limit) {
    const { result, hasLeftOut } = await recordingLeftOutRows(() => read({ ...query, offset }));
    const rows = (Object(result.data) as Readonly<Record<string, readonly unknown[] | undefined>>)[name];
    const isShown = rows === undefined || rows.length > 0 || !hasLeftOut;
    if (isShown || pages === maxPages || offset + range.limit > offsetLimit) return result;
  }
}
