/** Work beyond the limit waits in order, and nothing overtakes it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { workLimit } from '../../shared/platform/work-limit.ts';

test('the concurrency limit admits no more jobs at once than its maximum, and starts all jobs in order', async () => {
  const works = fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), works, async (max, given) => {
      const limit = workLimit(max);
      const begun: number[] = [];
      let running = 0;
      const results = given.map(({ turns, fails }, position) =>
        limit(async () => {
          begun.push(position);
          running += 1;
          expect(running).toBeLessThanOrEqual(max);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          running -= 1;
          if (fails) throw new Error('planned');
          return position;
        }),
      );
      const settled = await Promise.allSettled(results);
      expect(begun).toEqual(given.map((_, position) => position));
      expect(settled.map(({ status }) => status)).toEqual(given.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')));
    }),
  );
});
