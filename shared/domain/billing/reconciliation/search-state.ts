/** What is kept between runs of a search for changes, in addition to the time up to which it has searched. */
import * as z from 'zod';
import { once } from '../../../contracts/once.ts';
import { reconciliationKey } from '../../keys.ts';
import type { Stores } from '../../stores.ts';

const SearchState = once(() =>
  z.object({
    version: z.int(),
    sliceMs: z.int(),
    postponed: z.array(
      z.object({ subject: z.string(), since: z.int(), checkAt: z.int(), isFailing: z.boolean().default(false) }),
    ),
  }),
);

/**
 * `sliceMs`: the length of the slices in which time is searched. `postponed`: subjects that could not be processed when
 * they were found; they are checked separately, so that the search can continue.
 */
export type SearchState = z.output<ReturnType<typeof SearchState>>;

type Needs = Pick<Stores, 'table'>;

/** A slice is a day long by default, and shorter once searching a day has taken too long. */
export const longestSliceMs = 24 * 3_600_000;

const maxPostponed = 2000;

const keyOf = (gateway: string) => reconciliationKey(`${gateway}#search`);

export async function readSearchState({ table }: Needs, gateway: string): Promise<SearchState> {
  const item = await table.get(keyOf(gateway));
  // Rows of earlier releases call the list of postponed subjects `aside`.
  return item
    ? SearchState().parse({ postponed: item.aside, ...item })
    : { version: 0, sliceMs: longestSliceMs, postponed: [] };
}

/**
 * Stores the state. @throws {Error} if another run has changed it since it was read, or too many subjects are
 * postponed: the search must then stop
 */
export async function saveSearchState({ table }: Needs, gateway: string, state: SearchState): Promise<SearchState> {
  if (state.postponed.length > maxPostponed) throw new Error(`more than ${maxPostponed} subjects are postponed`);
  const saved = { ...state, version: state.version + 1 };
  await table.put({
    Item: { ...keyOf(gateway), ...saved },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
    ExpressionAttributeValues: { ':version': state.version },
  });
  return saved;
}

/** When to check a subject again, and whether it failed. */
export type Postponement = Pick<SearchState['postponed'][number], 'checkAt' | 'isFailing'>;

/** Updates the postponed entries of the subjects that were found; each keeps the time when it was first postponed. */
export function updatePostponed(
  { postponed, ...state }: SearchState,
  found: ReadonlyMap<string, Postponement | undefined>,
  now: number,
): SearchState {
  const added = [...found].flatMap(([subject, again]) => {
    const { since = now } = postponed.find((one) => one.subject === subject) ?? {};
    return again ? [{ subject, since, ...again }] : [];
  });
  return { ...state, postponed: [...postponed.filter(({ subject }) => !found.has(subject)), ...added] };
}
