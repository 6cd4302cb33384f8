/** Where the catalog is stored: defaults in code, replaced by rows, cached for 30 s. */
import { cached } from '../../platform/cached.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { catalogKey } from '../keys.ts';
import { type CatalogMembers, type CatalogRow, type CatalogRowName, catalogRowNames } from './catalog-row.ts';

/** A row as operators see it. */
export interface ShownRow {
  /** The current values of all members, including defaults. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Names of members that override a default. */
  readonly stored: readonly string[];
  /** Names of stored members that are invalid or unknown to this release; their defaults apply. */
  readonly ignored: readonly string[];
  /** How often the row was changed. */
  readonly version: number;
}

export interface CatalogStore {
  /** What functions read of a row, at most 30 s old. All rows are read from the table together. */
  read<Value>(row: CatalogRow<Value>): Promise<Value>;
  /** The current state of a row, not cached. */
  show(row: CatalogRow<unknown>): Promise<ShownRow>;
  /**
   * Changes members of a row, if it still has the version when one is given; `undefined` restores a default. The caller
   * has validated the values. @throws {ConditionFailed}
   */
  change(row: CatalogRowName, members: Readonly<Record<string, unknown>>, version?: number): Promise<void>;
  switchOperation(operationId: string, on: boolean): Promise<void>;
}

/** How long functions may keep using an outdated catalog. */
export const catalogStaleAfterMs = 30_000;

/** Converts sets, which allow atomic additions, to lists; other values are stored as they are. */
const plain = (value: unknown): unknown => (value instanceof Set ? [...(value as Set<string>)].toSorted() : value);

/** An absent attribute stands for the empty set, which DynamoDB cannot store. */
const toAttribute = (value: unknown, row: CatalogRowName): unknown => {
  if (row !== 'switches' || !Array.isArray(value)) return value;
  return value.length > 0 ? new Set(value) : undefined;
};

/** Parses members one by one, so that an invalid one does not affect the others. */
function toRow(item: Item | undefined, members: CatalogMembers): ShownRow {
  const { pk: _pk, sk: _sk, version = 0, ...attributes } = item ?? {};
  const parsed = Object.entries(attributes).map(([name, value]) => ({
    name,
    result: members[name]?.schema().safeParse(plain(value)),
  }));
  const valid = parsed.flatMap(({ name, result }) => (result?.success ? [[name, result.data] as const] : []));
  const defaults = Object.entries(members).map(([name, { byDefault }]) => [name, byDefault] as const);
  return {
    members: Object.fromEntries([...defaults, ...valid]),
    stored: valid.map(([name]) => name),
    ignored: parsed.filter(({ result }) => !result?.success).map(({ name }) => name),
    version: Number(version),
  };
}

/** The values that functions read of each row, which are parsed on first use and then cached. */
function valuesOf(items: readonly Item[], engineNames: () => readonly string[]) {
  const values = new Map<CatalogRowName, unknown>();
  return <Value>({ members, name, toValue }: CatalogRow<Value>): Value => {
    if (!values.has(name)) {
      const item = items.find(({ sk }) => sk === catalogKey(name).sk);
      values.set(name, toValue(toRow(item, members(engineNames)).members, engineNames));
    }
    return values.get(name) as Value;
  };
}

/** The write that changes members of a row. */
function changeOf(row: CatalogRowName, members: Readonly<Record<string, unknown>>, version: number | undefined) {
  const entries = Object.entries(members).map(([name, value], index) => ({
    name,
    index,
    attribute: toAttribute(value, row),
  }));
  const set = entries.filter(({ attribute }) => attribute !== undefined);
  const removed = entries.filter(({ attribute }) => attribute === undefined);
  const clauses = [
    set.length > 0 && `SET ${set.map(({ index }) => `#m${index} = :m${index}`).join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map(({ index }) => `#m${index}`).join(', ')}`,
    'ADD #version :one',
  ];
  const unchanged = version === 0 ? 'attribute_not_exists(#version)' : '#version = :version';
  return {
    Key: catalogKey(row),
    UpdateExpression: clauses.filter((clause) => clause !== false).join(' '),
    ...(version !== undefined && { ConditionExpression: unchanged }),
    ExpressionAttributeNames: {
      '#version': 'version',
      ...Object.fromEntries(entries.map(({ name, index }) => [`#m${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ...(version ? { ':version': version } : {}),
      ...Object.fromEntries(set.map(({ attribute, index }) => [`:m${index}`, attribute])),
    },
  };
}

/** Creates the store; `engineNames` are the engines of this service, in order of preference. */
export function catalogStore(table: Table, clock: Clock, engineNames: () => readonly string[]): CatalogStore {
  async function load() {
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': catalogKey(catalogRowNames[0]).pk },
    };
    return valuesOf(await Array.fromAsync(table.walk(query)), engineNames);
  }

  const current = cached(catalogStaleAfterMs, clock, load);
  return {
    read: async (row) => (await current.read())(row),
    async show(row) {
      return toRow(await table.get(catalogKey(row.name)), row.members(engineNames));
    },
    async change(row, members, version) {
      await table.update(changeOf(row, members, version));
    },
    async switchOperation(operationId, on) {
      await table.update({
        Key: catalogKey('switches'),
        UpdateExpression: on ? 'DELETE #off :operation ADD #version :one' : 'ADD #off :operation, #version :one',
        ExpressionAttributeNames: { '#off': 'off', '#version': 'version' },
        ExpressionAttributeValues: { ':operation': new Set([operationId]), ':one': 1 },
      });
    },
  };
}
