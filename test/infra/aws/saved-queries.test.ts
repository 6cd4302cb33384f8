/** The saved searches of logs are those that the documentation of the alarms names. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { searchedMessages } from '../../../infra/aws/saved-queries.ts';

test('exactly the log messages for which docs/alarms.md tells operators to search have a saved query', () => {
  const page = readFileSync('docs/alarms.md', 'utf8');
  const messages = [...page.matchAll(/(?:--id |`)'([\w ]+)'/g)].map(([, message = '']) => message);
  expect([...new Set(messages)].toSorted()).toEqual([...searchedMessages]);
});
