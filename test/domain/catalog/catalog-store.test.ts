/** Which engines the catalog gives tasks to: those of the service, as rows choose among them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EngineChoice } from '../../../shared/catalog/engine-choice.ts';
import { choicesOf } from '../../../shared/catalog/engines.ts';
import { longestTimeLimitSeconds } from '../../../shared/contracts/generate.ts';
import { catalogStore } from '../../../shared/domain/catalog/catalog-store.ts';
import { catalogKey } from '../../../shared/domain/keys.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';

let shared: TestTable;

beforeAll(async () => {
  shared = await testTable();
});
afterAll(() => shared.close());

/** A store that has read nothing yet, of a service with these engines. */
const catalog = (...engineNames: string[]) => catalogStore(shared.table, { now: () => 0 }, () => engineNames);

const enginesOf = async (...engineNames: string[]) => {
  const { engines } = await catalog(...engineNames).read();
  return engines.image.routes.map(({ engine }) => engine);
};

beforeEach(() => catalog('offline').chooseEngine('image', undefined));

test('without a choice, tasks go to the engines of the service in their order', async () => {
  expect(await enginesOf('offline', 'fal')).toEqual(['offline', 'fal', 'fal']);
  expect(await enginesOf('bedrock', 'offline')).toEqual(['bedrock', 'offline']);
});

test('a choice leaves out the engines that the service does not have', async () => {
  await catalog('offline').chooseEngine('image', { ...choicesOf(['fal', 'offline']).image, timeLimitSeconds: 60 });
  expect(await enginesOf('fal', 'offline')).toEqual(['fal', 'fal', 'offline']);
  expect(await enginesOf('offline')).toEqual(['offline']);
  expect(await enginesOf('bedrock')).toEqual([]);
  expect((await catalog('offline').read()).engines.image.timeLimitSeconds).toBe(60);
});

test.each([
  ['text', 'offline'],
  ['no routes', { routes: [] }],
  ['an engine that there is not', { routes: [{ engine: 'dalle' }] }],
  ['a setting that there is not', { routes: [{ engine: 'fal' }], retries: 3 }],
])('a row that is no choice (%s) changes nothing, and spoils no other choice', async (_, choice) => {
  const item = { ...catalogKey('ENGINES'), image: choice, voice: { routes: [{ engine: 'fal', model: 'spoken' }] } };
  await shared.table.put({ Item: item });
  const { engines } = await catalog('offline', 'fal').read();
  expect(engines.image).toEqual(choicesOf(['offline', 'fal']).image);
  expect(engines.voice.routes).toEqual([{ engine: 'fal', model: 'spoken' }]);
});

test('a choice gives a task no more time than any task may take', () => {
  const takes = (timeLimitSeconds: number) =>
    EngineChoice().safeParse({ routes: [{ engine: 'offline' }], timeLimitSeconds }).success;
  expect(takes(longestTimeLimitSeconds)).toBe(true);
  expect(takes(longestTimeLimitSeconds + 1)).toBe(false);
});
