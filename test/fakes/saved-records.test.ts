/** The file of a sandbox, from which it restores its state after a restart. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savedRecords } from '../../fakes/saved-records.ts';

test('a fake’s saved records survive a restart, in order and in a private file, even if a crash truncated the last line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'saved-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'private', 'records.jsonl');
  const before = savedRecords<number>(path);
  for (const [id, record] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    before.put(id, record);
  before.close();
  appendFileSync(path, '["c",{"tru');
  const after = savedRecords<number>(path);
  expect([...after.byId]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  after.close();
  expect(statSync(path).mode & 0o077).toBe(0);
});
