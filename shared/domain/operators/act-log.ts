/** The log of operators' acts: rows are only added, never changed or deleted. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type OperatorRole, operatorRoles } from '../../contracts/operator-roles.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { type ActSubject, actEndKey, actIdOf, actKey, actList, isActEnd } from '../operator-keys.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import type { Facts } from './act.ts';

/**
 * `begun`: the end of the act is not recorded, because it is still running or was interrupted; its effect is unknown.
 */
export const actStates = ['begun', 'done', 'failed'] as const;

export interface ActEntry {
  readonly actId: string;
  readonly at: number;
  readonly act: string;
  readonly operatorId: string;
  readonly operatorName: string;
  readonly role: OperatorRole;
  readonly reason: string;
  readonly requestId?: string;
  /** The account or row of the catalog whose list also contains the entry. */
  readonly of?: ActSubject;
  readonly subject: string;
  readonly state: (typeof actStates)[number];
  /** Why the act failed. */
  readonly code?: string;
  readonly before?: Facts;
  readonly after?: Facts;
  /** Whether `before` and `after` were left out, because they are too large for a list: `find` returns them. */
  readonly isShortened?: boolean;
}

export interface ActPage {
  readonly limit: number;
  /** Only acts before this one. */
  readonly before?: string | undefined;
}

export interface ActLog {
  /** All acts, newest first. */
  list(page: ActPage): Promise<ActEntry[]>;
  /** The acts about an account or a row of the catalog, newest first. */
  of(subject: ActSubject, page: ActPage): Promise<ActEntry[]>;
  find(actId: string): Promise<ActEntry | undefined>;
}

const facts = () => z.exactOptional(z.record(z.string(), z.unknown()));

const EntryRow = once(() =>
  z.object({
    at: z.int(),
    act: z.string(),
    operatorId: z.string(),
    operatorName: z.string(),
    role: z.enum(operatorRoles),
    reason: z.string(),
    requestId: z.exactOptional(z.string()),
    of: z.exactOptional(z.templateLiteral([z.enum(['account', 'catalog']), '/', z.string()])),
    subject: z.string(),
    state: z.enum(actStates),
    code: z.exactOptional(z.string()),
    before: facts(),
    after: facts(),
    isShortened: z.exactOptional(z.boolean()),
  }),
);

const EndRow = once(() => z.object({ state: z.enum(actStates), code: z.exactOptional(z.string()), after: facts() }));

/** The most bytes of `before` and `after` as JSON: in the list of all acts, and in an entry at all. */
const shownBytes = 2_000;
export const factsBytesLimit = 100_000;

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null));

const shortened = <Entry extends Pick<ActEntry, 'before' | 'after'>>({ before, after, ...entry }: Entry) =>
  bytesOf({ before, after }) > shownBytes
    ? { ...entry, isShortened: true }
    : { ...entry, ...(before && { before }), ...(after && { after }) };

const append = (item: Item): Action => ({ Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' } });

/** Adds an entry, unless one with its id exists. */
export function appendEntry({ actId, ...entry }: ActEntry): Action[] {
  const { of } = entry;
  if (of === undefined) return [append({ ...actKey(actId), ...entry })];
  return [append({ ...actKey(actId), ...shortened(entry) }), append({ ...actKey(actId, of), ...entry })];
}

/** Adds the end of an act that was recorded when it began, unless its end is already recorded. */
export function appendEnd(
  { actId, of }: Pick<ActEntry, 'actId' | 'of'>,
  end: Pick<ActEntry, 'state' | 'code' | 'after'>,
): Action[] {
  const known = Object.fromEntries(Object.entries(end).filter(([, value]) => value !== undefined));
  if (of === undefined) return [append({ ...actEndKey(actId), ...known })];
  return [
    append({ ...actEndKey(actId), ...shortened(known as typeof end) }),
    append({ ...actEndKey(actId, of), ...known }),
  ];
}

const toEntry = (item: Item, end: Item | undefined): ActEntry => {
  const { of, ...entry } = parseRow('act', EntryRow(), item);
  return {
    actId: actIdOf(item),
    ...entry,
    ...(of !== undefined && { of: of as ActSubject }),
    ...(end && parseRow('end of an act', EndRow(), end)),
  };
};

/** Joins each entry with its end, which comes before it, newest first. */
function entriesIn(table: Table, items: readonly Item[], limit: number): ActEntry[] {
  const ends = new Map(items.filter(isActEnd).map((item) => [actIdOf(item), item]));
  const begun = items.filter((item) => !isActEnd(item)).slice(0, limit);
  return readableItems(table, 'act', begun, (item) => toEntry(item, ends.get(actIdOf(item))));
}

export function actLog(table: Table): ActLog {
  const page = async (pk: string, { limit, before }: ActPage) => {
    const query = {
      KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: { ':pk': pk, ...(before !== undefined && { ':before': before }) },
      ScanIndexForward: false,
      ConsistentRead: true,
    };
    // An act has at most two rows; in a list, newest first, its end comes first.
    return entriesIn(table, await table.list(query, { limit: 2 * limit, offset: 0 }), limit);
  };
  return {
    list: (range) => page(actList(), range),
    of: (subject, range) => page(actList(subject), range),
    async find(actId) {
      const listed = await table.get(actKey(actId));
      if (!listed) return undefined;
      const { of } = toEntry(listed, undefined);
      const [item = listed, end] = await Promise.all([table.get(actKey(actId, of)), table.get(actEndKey(actId, of))]);
      return toEntry(item, end);
    },
  };
}
