/** The gate's limit for quick test files. */
import { expect, it } from 'vitest';
import { filesOverLimit } from '../support/quick-file-limit.ts';

const others = (seconds: number) => Array.from({ length: 40 }, (_, index) => ({ file: `${index}`, seconds }));
const timesWith = (seconds: number, ofOthers: number) => [{ file: 'test/slow.test.ts', seconds }, ...others(ofOthers)];

it('the check of quick test files names a file that takes more than eight seconds of CPU time', () => {
  expect(filesOverLimit(timesWith(8.1, 5))).toEqual([
    expect.stringMatching(/^test\/slow\.test\.ts took 8\.1 s of CPU time, and a quick file may take 8\.0 s: /),
  ]);
  expect(filesOverLimit(timesWith(8, 5))).toEqual([]);
});

it('the check of quick test files tolerates a slow machine on which every file takes three times as long', () => {
  expect(filesOverLimit(timesWith(18, 15))).toEqual([]);
  expect(filesOverLimit(timesWith(24.3, 15))).toHaveLength(1);
});
