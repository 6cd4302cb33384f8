/** The error of a conditional write; a module of its own so that it can be recognized without the table's client. */
import type { Item } from './dynamo-table.ts';

/** A condition failed; `item` is the existing item, if the write requested it. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super('a condition failed');
    this.item = item;
  }
}
