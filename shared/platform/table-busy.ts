/**
 * The error for a transaction that was not written because its items were locked, or the table was throttled, during
 * all retries. A single write that stays throttled fails with the SDK's own error instead.
 */
export class TableBusy extends Error {
  override readonly name = 'TableBusy';
  constructor(cause: unknown) {
    super('the table was busy for as long as a write was retried', { cause });
  }
}
