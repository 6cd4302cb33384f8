/** The limit of active tokens is exact on the real table, whatever is created, revoked and expires concurrently. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Token, tokenStatus } from '../../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();
const tokens = tokenStore(host.table);

const limit = 4;

const aToken = (accountId: string, expiresAt?: number): Token => ({
  tokenId: testIds.next(),
  accountId,
  name: 'model',
  scopes: ['read:usage'],
  ...(expiresAt !== undefined && { expiresAt }),
});

const create = (token: Token) => tokens.insert(testIds.secret(16), token, { limit });

const activeOf = async (accountId: string, now: number) =>
  (await tokens.list(accountId)).filter((token) => tokenStatus(token, now) === 'active');

test('of any number of concurrent token creations, exactly as many succeed as the limit allows', async () => {
  const accountId = testIds.next();
  const insertions = await Promise.all(Array.from({ length: 30 }, () => create(aToken(accountId))));
  expect(insertions.filter((insertion) => insertion === 'inserted')).toHaveLength(limit);
  expect(await activeOf(accountId, Date.now())).toHaveLength(limit);
});

test('the active tokens never exceed the limit, and none is rejected while there is room for it', async () => {
  const steps = fc.array(
    fc.record({
      creations: fc.array(fc.constantFrom('lasting', 'expired'), { maxLength: 4 }),
      revocations: fc.array(fc.nat(20), { maxLength: 3 }),
      atOnce: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const accountId = testIds.next();
      const known: string[] = [];
      for (const { creations, revocations, atOnce } of history) {
        const before = await activeOf(accountId, Date.now());
        const made = creations.map((kind) => aToken(accountId, kind === 'expired' ? 1 : undefined));
        const revoked = known.length > 0 ? revocations.map((position) => known[position % known.length] ?? '') : [];
        const acts = [
          ...made.map((token) => () => create(token)),
          ...revoked.map((id) => () => tokens.revoke(accountId, id, timeOfId(id))),
        ];
        const outcomes: unknown[] = [];
        if (atOnce) outcomes.push(...(await Promise.all(acts.map((act) => act()))));
        else for (const act of acts) outcomes.push(await act());
        const inserted = made.filter((_, position) => outcomes[position] === 'inserted');
        known.push(...inserted.map(({ tokenId }) => tokenId));
        const after = await activeOf(accountId, Date.now());
        expect(after.length).toBeLessThanOrEqual(limit);
        // An expired token counts towards the limit until the next creation at most.
        if (inserted.length < made.length) {
          expect(before.length + made.length).toBeGreaterThan(limit);
        }
        const lasting = inserted.filter(({ expiresAt }) => expiresAt === undefined).map(({ tokenId }) => tokenId);
        const expected = [...before.map(({ tokenId }) => tokenId), ...lasting].filter((id) => !revoked.includes(id));
        expect(new Set(after.map(({ tokenId }) => tokenId))).toEqual(new Set(expected));
      }
    }),
    { numRuns: 15 },
  );
});

test('an expired token makes room for exactly one of several concurrent creations', async () => {
  const accountId = testIds.next();
  for (let count = 0; count < limit; count += 1) {
    expect(await create(aToken(accountId, count === 0 ? 1 : undefined))).toBe('inserted');
  }
  const insertions = await Promise.all(Array.from({ length: 8 }, () => create(aToken(accountId))));
  expect(insertions.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'full'), 'inserted']);
});

test('a token is stored only if the given condition holds in the same transaction', async () => {
  const accountId = testIds.next();
  const key = { pk: `TEST-CONDITION#${accountId}`, sk: 'CONDITION' };
  const given = { ConditionCheck: { Key: key, ConditionExpression: 'attribute_exists(pk)' } };
  const conditional = () => tokens.insert(testIds.secret(16), aToken(accountId), { limit, given });
  expect(await conditional()).toBe('unmet');
  expect(await tokens.list(accountId)).toEqual([]);
  await host.table.put({ Item: key });
  expect(await conditional()).toBe('inserted');
});
