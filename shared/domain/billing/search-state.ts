/** What a search for changes at a gateway leaves for the next run, besides its mark. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { reconciliationKey } from '../keys.ts';
import type { Stores } from '../stores.ts';

const SearchState = once(() =>
  z.object({
    version: z.int(),
    sliceMs: z.int(),
    aside: z.array(
      z.object({ subject: z.string(), since: z.int(), checkAt: z.int(), isFailing: z.boolean().default(false) }),
    ),
  }),
);

/**
 * `sliceMs`: how long a time is searched at once. `aside`: subjects about which nothing could be done when they were
 * found; they are read again by themselves, so that the search can go on.
 */
export type SearchState = z.output<ReturnType<typeof SearchState>>;

type Needs = Pick<Stores, 'table'>;

/** A day is searched at once unless that has taken too long. */
export const longestSliceMs = 24 * 3_600_000;

const mostAside = 2000;

const keyOf = (gateway: string) => reconciliationKey(`${gateway}#search`);

export async function readSearchState({ table }: Needs, gateway: string): Promise<SearchState> {
  const item = await table.get(keyOf(gateway));
  return item ? SearchState().parse(item) : { version: 0, sliceMs: longestSliceMs, aside: [] };
}

/** @throws {Error} if another run has changed it since it was read, or too much is set aside: the search must not go on */
export async function saveSearchState({ table }: Needs, gateway: string, state: SearchState): Promise<SearchState> {
  if (state.aside.length > mostAside) throw new Error(`more than ${mostAside} subjects are set aside`);
  const saved = { ...state, version: state.version + 1 };
  await table.put({
    Item: { ...keyOf(gateway), ...saved },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
    ExpressionAttributeValues: { ':version': state.version },
  });
  return saved;
}

/** When to look at a subject again, and whether that is because of a failure. */
export type Again = Pick<SearchState['aside'][number], 'checkAt' | 'isFailing'>;

/** What was found replaces what was set aside of it before; it counts as set aside since it was first found. */
export function setAside(
  { aside, ...state }: SearchState,
  found: ReadonlyMap<string, Again | undefined>,
  now: number,
): SearchState {
  const added = [...found].flatMap(([subject, again]) => {
    const { since = now } = aside.find((one) => one.subject === subject) ?? {};
    return again ? [{ subject, since, ...again }] : [];
  });
  return { ...state, aside: [...aside.filter(({ subject }) => !found.has(subject)), ...added] };
}
