/** A burst of requests waits instead of failing. */
import { expect, test } from 'vitest';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests({ pace: 1 });

const repeated = <Value>(count: number, make: (position: number) => Value): Value[] =>
  Array.from({ length: count }, (_, position) => make(position));

test('each of a thousand concurrent requests, some of which create tasks, gets the response that it would get alone', async () => {
  // An account may have twenty open tasks.
  const accounts = await Promise.all(repeated(10, () => host.account()));
  const counts = new Map<string, number>();
  const count = async (kind: string, request: Promise<{ status: number }>) => {
    const { status } = await request;
    const seen = `${kind} ${status}`;
    counts.set(seen, (counts.get(seen) ?? 0) + 1);
  };
  const body = { text: 'Uma frase curta.', voice: 'sarah' };
  await Promise.all([
    ...repeated(600, () => count('getHealth', host.call('getHealth'))),
    ...repeated(200, (position) => {
      const { token } = accounts[position % 10] ?? { token: '' };
      return count('getProfile', host.call('getProfile', { token }));
    }),
    ...repeated(200, (position) => {
      const { token } = accounts[position % 10] ?? { token: '' };
      return count('generateVoice', host.call('generateVoice', { token, body }));
    }),
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    // The status may be `degraded`, because a table that responds late on a busy machine counts as unavailable.
    'getHealth 200': 600,
    'getProfile 200': 200,
    'generateVoice 202': 200,
  });
}, 300_000);
