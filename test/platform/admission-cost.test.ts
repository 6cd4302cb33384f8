/** The cost of authenticating a request. */

import { afterAll, expect, test } from 'vitest';
import { monthlyCapLimit, requestsPerMinute, tokenNameBytes } from '../../shared/contracts/limits.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { tokenKey } from '../../shared/domain/keys.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { itemBytes } from '../support/item-bytes.ts';
import { countedService } from '../support/trips.ts';

const host = await countedService(0);
afterAll(() => host.close());

/** The largest possible token row, with a full log of times without trailing zeros, which would not be stored. */
async function largestToken(): Promise<string> {
  const { context } = host.service;
  const { accountId } = await host.account();
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const now = context.clock.now();
  const anHourAgo = now - (now % 10) + 1 - 3_600_000;
  const expiresAt = anHourAgo + 7_200_000;
  const name = '𝓃'.repeat(tokenNameBytes / 4);
  const monthlyCreditCap = monthlyCapLimit - 1;
  const request = { accountId, name, mode: 'test', scopes, expiresAt, monthlyCreditCap } as const;
  const { token } = await issueToken(needs, request);
  for (let count = 0; count < requestsPerMinute; count += 1) {
    expect((await context.tokens.admit(tokenDigest(token), anHourAgo)).status).toBe('admitted');
  }
  return token;
}

test('the largest token row with a full request log is below 1,024 bytes, so that a request costs one write capacity unit', async () => {
  const token = await largestToken();
  const stored = (await host.service.context.table.get(tokenKey(tokenDigest(token)))) ?? {};
  expect(stored.rl).toHaveLength(requestsPerMinute);
  expect(itemBytes(stored)).toBeLessThan(1024);

  const [admission] = await host.trips(() => host.call('getProfile', { token }));
  expect(admission).toMatchObject({ operation: 'UpdateItem', capacityUnits: 1 });
});
