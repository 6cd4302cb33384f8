/** The saved searches of logs are those that the documentation of the alarms names. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { searchedMessages } from '../../../infra/aws/saved-queries.ts';

test('each message that the page about alarms searches for has a saved query, and no other has', () => {
  const page = readFileSync('docs/alarms.md', 'utf8');
  const messages = [...page.matchAll(/(?:--id |`)'([\w ]+)'/g)].map(([, message = '']) => message);
  expect([...new Set(messages)].toSorted()).toEqual([...searchedMessages]);
});
