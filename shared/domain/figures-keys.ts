/** The keys of the figures of each day: part of the schema of the single table, see `keys.ts`. */
import { createHash } from 'node:crypto';
import type { Key } from '../platform/dynamo-table.ts';

/** The number of partitions that a day's figures are spread over, because the end of every task changes them. */
const figuresShards = 16;

/** All partitions of figures, for permissions. */
export const figuresPartitions = 'FIGURES#*' as const;

const figuresShard = (day: string, shard: number) => `FIGURES#${day}#${shard}` as const;

/** The partitions with the figures of a day. */
export const allFiguresOf = (day: string) =>
  Array.from({ length: figuresShards }, (_, shard) => figuresShard(day, shard));

export function figuresKey(accountId: string, day: string) {
  const shard = createHash('sha256').update(accountId).digest().readUInt8() % figuresShards;
  return { pk: figuresShard(day, shard), sk: accountId } as const satisfies Key;
}

export const accountOfFigures = ({ sk }: { readonly sk?: unknown }): string => String(sk);
