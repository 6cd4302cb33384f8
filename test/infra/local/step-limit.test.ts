/** Slow steps of one account's workflows on the local service. */
import { expect, test } from 'vitest';
import { stepLimit } from '../../../infra/local/step-limit.ts';

const never = () => new Promise<never>(() => undefined);
const one = async () => 1;
const numbered = Array.from({ length: 200 }, (_, index) => `${index}`);

const voice = { taskType: 'voice', input: { text: 'Um.', voice: 'sarah' } } as const;
const cortes = { taskType: 'cortes', input: { videoUrl: 'https://slow.example.com/a.mp4' } } as const;

/** The tasks `<type> of <account> <anything>`. */
const limitInTest = () =>
  stepLimit(async (taskId) => {
    const [type, , accountId] = taskId.split(' ');
    return accountId === undefined ? undefined : { accountId, ...(type === 'cortes' ? cortes : voice) };
  });

test.each(['voice', 'cortes'])(
  'slow steps of %s tasks of an account do not keep those of another waiting',
  async (type) => {
    const limited = limitInTest();
    for (const number of numbered) void limited({ taskId: `${type} of attacker ${number}` }, never);
    expect(await limited({ taskId: `${type} of other 1` }, one)).toBe(1);
  },
);

test('steps that wait for files of other servers, even of many accounts, do not keep other steps waiting', async () => {
  const limited = limitInTest();
  for (const number of numbered) void limited({ taskId: `cortes of ${number}` }, never);
  expect(await limited({ taskId: 'voice of other 1' }, one)).toBe(1);
});

test('a step of a task that is gone is still run', async () => {
  expect(await limitInTest()({ taskId: 'gone' }, one)).toBe(1);
});
