/** Concurrent work of several callers. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairWorkLimit } from '../../../infra/local/fair-work-limit.ts';

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

test('the fair limit exceeds neither its maximum nor that of a caller, runs every job, and keeps each caller’s order', async () => {
  const job = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(4), fails: fc.boolean() });
  const limits = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }));
  await fc.assert(
    fc.asyncProperty(limits, fc.array(job, { maxLength: 30 }), async ([max, maxOfCaller], jobs) => {
      const limit = fairWorkLimit(max, maxOfCaller);
      const running: string[] = [];
      const begun: number[] = [];
      const results = jobs.map((given, position) =>
        limit(given.caller, async () => {
          begun.push(position);
          running.push(given.caller);
          expect(running.length).toBeLessThanOrEqual(max);
          expect(running.filter((one) => one === given.caller).length).toBeLessThanOrEqual(maxOfCaller);
          await turns(given.turns);
          running.splice(running.indexOf(given.caller), 1);
          if (given.fails) throw new Error('planned');
        }),
      );
      const settled = await Promise.allSettled(results);
      expect(settled.map(({ status }) => status)).toEqual(jobs.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')));
      for (const name of ['a', 'b', 'c']) {
        const positions = begun.filter((position) => jobs[position]?.caller === name);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }
    }),
  );
});

test('with a fair limit, a job of another caller starts before the waiting jobs of a caller who has many', async () => {
  const limit = fairWorkLimit(2, 2);
  const begun: string[] = [];
  const many = Array.from({ length: 10 }, () =>
    limit('many', async () => {
      begun.push('many');
      await turns(3);
    }),
  );
  await Promise.all([...many, limit('one', async () => void begun.push('one'))]);
  expect(begun.indexOf('one')).toBeLessThan(4);
});
