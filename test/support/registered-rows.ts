/** Fails a test file that has stored rows or fields that are missing from the register of personal data. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { unregisteredIn } from '../../shared/domain/privacy/register.ts';
import type { StoredItem } from './stored-items.ts';

/** Rows that only the tests of the table itself store, so that the register does not contain them. */
const isOfTest = ({ pk }: StoredItem): boolean => /^(TEST-|CONDITION$)/.test(pk?.S ?? '');

/** @throws {Error} that names the kinds and fields to be added to `shared/domain/privacy/` */
export function requireRegistered(items: Iterable<StoredItem>): void {
  const rows = [...items].filter((item) => !isOfTest(item));
  const unknown = new Set(rows.flatMap((item) => unregisteredIn(unmarshall(item))));
  if (unknown.size > 0) {
    throw new Error(`the register of personal data (shared/domain/privacy/) lacks ${[...unknown].join(', ')}`);
  }
}
