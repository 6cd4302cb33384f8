/** The limit of the MCP server under concurrent generations and faults of the network. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitedGenerations, UnknownOutcomeError } from '../../client-mcp/limited-generations.ts';
import { LimitError, spendingLimit } from '../../client-mcp/spending-limit.ts';
import { virtualClock } from '../client/virtual-clock.ts';
import { networkOutcomes, spendingService } from './spending-service.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function started(maxCredits: number, maxCreditsPerCall: number | undefined, choose: (below: number) => number) {
  const clock = virtualClock(() => choose(1000) / 1000);
  return { clock, limit: spendingLimit(maxCredits, maxCreditsPerCall) };
}

/** Numbers from a list, again and again. */
function cycle(numbers: readonly number[]): (below: number) => number {
  let index = 0;
  return (below) => {
    index += 1;
    return (numbers[index % numbers.length] ?? 0) % below;
  };
}

const chance = fc.array(fc.nat({ max: 999 }), { minLength: 20, maxLength: 100 }).map(cycle);
const costs = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 15 });

test('concurrent generations never exceed the spending limit on an unreliable network, and rejected ones free their share', async () => {
  const found = { accepted: 0, unknown: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(costs, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 12 }), chance, async (...given) => {
      const [prices, maxCredits, maxCreditsPerCall, choose] = given;
      const { clock, limit } = started(maxCredits, maxCreditsPerCall, choose);
      const service = spendingService(clock, () => networkOutcomes[choose(networkOutcomes.length)] ?? 'accept');
      const baseUrl = 'http://127.0.0.1:1';
      const { generate } = limitedGenerations({ baseUrl, token: 'av_token', fetch: service.fetch, clock }, limit);
      const outcomes = await clock.run(Promise.allSettled(prices.map((cost) => generate('generateVoice', { cost }))));

      expect(service.spent()).toBeLessThanOrEqual(limit.state().used);
      expect(limit.state().used).toBeLessThanOrEqual(maxCredits);
      expect(Math.max(0, ...service.costs())).toBeLessThanOrEqual(maxCreditsPerCall);
      const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
      const counted = prices.filter((_, index) => {
        const reason = reasons[index];
        return reason === undefined || reason instanceof UnknownOutcomeError;
      });
      expect(limit.state().used).toBe(sum(counted));
      found.accepted += service.costs().length;
      found.unknown += reasons.filter((reason) => reason instanceof UnknownOutcomeError).length;
      found.refused += reasons.filter((reason) => reason instanceof LimitError).length;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(...Object.values(found)), JSON.stringify(found)).toBeGreaterThan(50);
});

test('on a good network, generations are accepted until the next one would exceed the limit', async () => {
  const { clock, limit } = started(10, undefined, cycle([1, 5, 3]));
  const service = spendingService(clock, () => 'accept');
  const options = { baseUrl: 'http://127.0.0.1:1', token: 'av_token', fetch: service.fetch, clock };
  const { generate } = limitedGenerations(options, limit);
  const outcomes: string[] = [];
  for (const cost of [4, 5, 2, 1, 1]) {
    const { creditsUsed } = await clock.run(
      generate('generateVoice', { cost }).catch(({ name }: Error) => ({ creditsUsed: name })),
    );
    outcomes.push(String(creditsUsed));
  }
  expect(outcomes).toEqual(['4', '5', 'LimitError', '1', 'LimitError']);
  expect(limit.state()).toEqual({ maxCredits: 10, maxCreditsPerCall: undefined, used: 10, left: 0 });
});

test('a task that costs more than its quote counts at its real price, and is canceled if that exceeds the spending limit', async () => {
  const { clock, limit } = started(10, undefined, cycle([1, 5, 3]));
  const service = spendingService(
    clock,
    () => 'accept',
    () => 3,
  );
  const options = { baseUrl: 'http://127.0.0.1:1', token: 'av_token', fetch: service.fetch, clock };
  const { generate } = limitedGenerations(options, limit);
  await expect(clock.run(generate('generateVoice', { cost: 4 }))).resolves.toMatchObject({ creditsUsed: 7 });
  await expect(clock.run(generate('generateVoice', { cost: 2 }))).rejects.toThrow(
    /5 credits instead of .* 2, .* It was canceled/,
  );
  expect(service.costs()).toEqual([7]);
});

test('a generation that the agent cancels before it is sent does not count towards the spending limit', async () => {
  const { clock, limit } = started(10, undefined, cycle([1, 5, 3]));
  const service = spendingService(clock, () => 'accept');
  const controller = new AbortController();
  const fetch: typeof globalThis.fetch = async (...given) => {
    const response = await service.fetch(...given);
    controller.abort();
    return response;
  };
  const { generate } = limitedGenerations({ baseUrl: 'http://127.0.0.1:1', token: 'av_token', fetch, clock }, limit);
  await expect(clock.run(generate('generateVoice', { cost: 4 }, controller.signal))).rejects.toThrow('aborted');
  expect([service.spent(), limit.state().used]).toEqual([0, 0]);
});

test.each([
  ['that is not a number', Number.NaN],
  ['below zero', -1],
  ['that is missing', undefined as unknown as number],
])('a price %s is rejected', (_, price) => {
  expect(() => spendingLimit(10).reserve(price)).toThrow(LimitError);
});
