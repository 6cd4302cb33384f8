/** Counting guesses of a password, on the real table. */
import { beforeEach, expect, test } from 'vitest';
import { passwordGuesses } from '../../../shared/contracts/limits.ts';
import { guessesKey } from '../../../shared/domain/keys.ts';
import { guessStore, guessWindowMs } from '../../../shared/domain/tokens/guess-store.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let accountId: string;

const host = await tableInTests();
const guesses = guessStore(host.table);
beforeEach(() => {
  accountId = testIds.next();
});

const countMany = (number: number, now = testTime) =>
  Promise.all(Array.from({ length: number }, () => guesses.count(accountId, now)));

test('exactly five of a hundred concurrent password guesses are checked, and the others say when to retry', async () => {
  const counted = await countMany(100);
  expect(counted.filter((rejection) => rejection === undefined)).toHaveLength(passwordGuesses);
  expect(new Set(counted.map((rejection) => rejection?.retryAfterSeconds))).toEqual(new Set([undefined, 900]));
});

test('no fifteen minutes contain more than five password guesses, whenever they begin', async () => {
  for (let count = 0; count < passwordGuesses; count += 1) {
    expect(await guesses.count(accountId, testTime + count * 60_000)).toBeUndefined();
  }
  expect(await guesses.count(accountId, testTime + guessWindowMs - 1)).toEqual({ retryAfterSeconds: 1 });
  expect(await guesses.count(accountId, testTime + guessWindowMs)).toBeUndefined();
  expect(await guesses.count(accountId, testTime + guessWindowMs)).toEqual({ retryAfterSeconds: 60 });
});

test('a correct password resets the count of guesses to allow five again', async () => {
  await countMany(passwordGuesses);
  await guesses.clear(accountId);
  expect((await countMany(8)).filter((rejection) => rejection === undefined)).toHaveLength(passwordGuesses);
});

test('password guesses of other accounts do not count', async () => {
  await countMany(passwordGuesses);
  expect(await guesses.count(testIds.next(), testTime)).toBeUndefined();
});

test('an account’s password guesses are kept for a day after the last one', async () => {
  await guesses.count(accountId, testTime - 999);
  const row = await host.table.get(guessesKey(accountId));
  expect(row?.expiresAt).toBe(testTime / 1000 + 24 * 3600);
});

test('a damaged row of password guesses throws an error that names the attribute', async () => {
  await host.table.put({ Item: { ...guessesKey(accountId), guesses: ['never'] } });
  await expect(guesses.count(accountId, testTime)).rejects.toThrow(
    'a stored row of password guesses cannot be read: guesses (',
  );
});

test.each(['update', 'put'] as const)(
  'counting a password guess throws if a single “%s” of the table fails',
  async (write) => {
    const failure = new Error('no response');
    const failures = [failure];
    const failingOnce = async <Result>(again: () => Promise<Result>): Promise<Result> => {
      for (const first of failures.splice(0)) throw first;
      return again();
    };
    const { table } = host;
    const cut = {
      update: { update: (...given: Parameters<typeof table.update>) => failingOnce(() => table.update(...given)) },
      put: { put: (...given: Parameters<typeof table.put>) => failingOnce(() => table.put(...given)) },
    };
    await expect(guessStore({ ...table, ...cut[write] }).count(accountId, testTime)).rejects.toBe(failure);
  },
);
