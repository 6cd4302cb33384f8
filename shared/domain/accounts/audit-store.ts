/** Stores the audit's progress: a checkpoint per account, and one cursor through all accounts. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { auditCursorKey, auditKey } from '../keys.ts';
import { type LedgerCount, nothingCounted } from './ledger.ts';

/** What an earlier audit has verified, so that later ones need not read it again. */
const Checkpoint = once(() =>
  z.object({
    /** The id of the last row that is included in `sum`. */
    through: z.string(),
    sum: z.int(),
    /** When the ledger was last read from its beginning, and when slots were last compared with tasks. */
    recountedAt: z.int(),
    slotsComparedAt: z.int(),
    /** The latest day whose figures were recounted. */
    figuresDay: z.exactOptional(z.string()),
  }),
);
export type Checkpoint = z.infer<ReturnType<typeof Checkpoint>> & LedgerCount;

const Unused = once(() => z.object({ day: z.string(), credits: z.int(), ofErased: z.int(), isWhole: z.boolean() }));
/** The unused credits at the end of a day, of the accounts that a pass has counted so far. */
export type UnusedCount = Readonly<z.infer<ReturnType<typeof Unused>>>;

const Cursor = once(() =>
  z.object({ after: z.string(), audited: z.int(), unaudited: z.int(), unused: z.exactOptional(Unused()) }),
);
/** Where a pass through all accounts continues, and what it has counted so far. */
export type AuditCursor = z.infer<ReturnType<typeof Cursor>>;

export interface AuditStore {
  checkpoint(accountId: string): Promise<Checkpoint | undefined>;
  saveCheckpoint(accountId: string, checkpoint: Checkpoint): Promise<void>;
  /** The cursor of an interrupted pass; otherwise, the beginning. */
  cursor(): Promise<AuditCursor>;
  saveCursor(cursor: AuditCursor): Promise<void>;
}

export const startOfPass: AuditCursor = { after: '', audited: 0, unaudited: 0 };

export const neverAudited: Checkpoint = { ...nothingCounted, recountedAt: 0, slotsComparedAt: 0 };

export function auditStore(table: Table): AuditStore {
  return {
    async checkpoint(accountId) {
      return Checkpoint()
        .optional()
        .parse(await table.get(auditKey(accountId)));
    },
    async saveCheckpoint(accountId, checkpoint) {
      await table.put({ Item: { ...auditKey(accountId), ...checkpoint } });
    },
    async cursor() {
      return (
        Cursor()
          .optional()
          .parse(await table.get(auditCursorKey)) ?? startOfPass
      );
    },
    async saveCursor(cursor) {
      await table.put({ Item: { ...auditCursorKey, ...cursor } });
    },
  };
}
