/**
 * Transactions held an item, or a transaction was throttled, for as long as a write was retried: nothing was written. A
 * single write that is throttled for as long as the SDK retries it fails with the SDK's own error instead.
 */
export class TableBusy extends Error {
  override readonly name = 'TableBusy';
  constructor(cause: unknown) {
    super('the table was busy for as long as a write was retried', { cause });
  }
}
