/** Stores the progress of the audit: a checkpoint for each account, and one cursor through all accounts. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { auditCursorKey, auditKey } from '../keys.ts';
import { type LedgerCount, nothingCounted } from './ledger.ts';

/** What an earlier audit of an account found to be right, so that a later one need not read it again. */
const Checkpoint = once(() =>
  z.object({
    /** Rows up to this id, inclusive, add up to `sum`. */
    through: z.string(),
    sum: z.int(),
    /** When the ledger was last read from its beginning, and when slots were last compared with tasks. */
    recountedAt: z.int(),
    slotsComparedAt: z.int(),
  }),
);
export type Checkpoint = z.infer<ReturnType<typeof Checkpoint>> & LedgerCount;

const Cursor = once(() => z.object({ after: z.string(), audited: z.int(), unaudited: z.int() }));
/** Where a pass through all accounts goes on, and what it has counted so far. */
export type AuditCursor = z.infer<ReturnType<typeof Cursor>>;

export interface AuditStore {
  checkpoint(accountId: string): Promise<Checkpoint | undefined>;
  saveCheckpoint(accountId: string, checkpoint: Checkpoint): Promise<void>;
  /** At the beginning when no pass was interrupted. */
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
