/** Other writers held an item, or the table was throttled, for as long as a write was retried: nothing was written. */
export class TableBusy extends Error {
  override readonly name = 'TableBusy';
  constructor(cause: unknown) {
    super('the table was busy for as long as a write was retried', { cause });
  }
}
