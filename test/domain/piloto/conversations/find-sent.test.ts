/** Which messages count as sent by an earlier call of a request. */
import { expect, test } from 'vitest';
import { mayBeSentBy } from '../../../../shared/domain/piloto/conversations/find-sent.ts';
import { timeOfId } from '../../../../shared/platform/ids.ts';
import { testIds } from '../../../support/test-table.ts';

const outsideKey = testIds.next();
const createdAt = timeOfId(outsideKey);
const isSent = (text: string, written: string): boolean =>
  mayBeSentBy({ outsideKey, text, lastCall: { calledAt: createdAt } }, { text: written, createdAt });

test('a message was sent by a call if its text is the same after trimming and normalization', () => {
  expect(isSent(' ol\u00e1', 'ola\u0301 ')).toBe(true);
  expect(isSent('ol\u00e1', 'ola')).toBe(false);
});

test('a message with a million combining characters on a letter is compared in linear time', () => {
  const crowded = `a${'\u0301\u0323'.repeat(500_000)}`;
  expect(isSent('a', crowded)).toBe(false);
  expect(isSent(`${crowded}b`, `${crowded}b`)).toBe(true);
  expect(isSent(`${crowded}b`, `${crowded}c`)).toBe(false);
});
