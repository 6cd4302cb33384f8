/** Counting guesses of a password, on the real table. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { passwordGuesses } from '../../../shared/contracts/limits.ts';
import { type GuessStore, guessStore, guessWindowMs } from '../../../shared/domain/tokens/guess-store.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;
let guesses: GuessStore;
let accountId: string;

beforeAll(async () => {
  host = await testTable();
  guesses = guessStore(host.table);
});
afterAll(() => host.close());
beforeEach(() => {
  accountId = testIds.next();
});

const countMany = (number: number, now = testTime) =>
  Promise.all(Array.from({ length: number }, () => guesses.count(accountId, now)));

test('of a hundred guesses at once exactly five are checked, and the others say when to come back', async () => {
  const counted = await countMany(100);
  expect(counted.filter((rejection) => rejection === undefined)).toHaveLength(passwordGuesses);
  expect(new Set(counted.map((rejection) => rejection?.retryAfterSeconds))).toEqual(new Set([undefined, 900]));
});

test('no quarter of an hour has more than five guesses, wherever it begins', async () => {
  for (let count = 0; count < passwordGuesses; count += 1) {
    expect(await guesses.count(accountId, testTime + count * 60_000)).toBeUndefined();
  }
  expect(await guesses.count(accountId, testTime + guessWindowMs - 1)).toEqual({ retryAfterSeconds: 1 });
  expect(await guesses.count(accountId, testTime + guessWindowMs)).toBeUndefined();
  expect(await guesses.count(accountId, testTime + guessWindowMs)).toEqual({ retryAfterSeconds: 60 });
});

test('a right password makes room for five guesses again', async () => {
  await countMany(passwordGuesses);
  await guesses.clear(accountId);
  expect((await countMany(8)).filter((rejection) => rejection === undefined)).toHaveLength(passwordGuesses);
});

test('guesses of other accounts do not count', async () => {
  await countMany(passwordGuesses);
  expect(await guesses.count(testIds.next(), testTime)).toBeUndefined();
});
