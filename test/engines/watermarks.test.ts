/** What is known about the watermarks of engines, in the code and in the documentation. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allRoutesOf } from '../../shared/catalog/engines.ts';
import { taskTypes } from '../../shared/contracts/task-types.ts';
import { type WatermarkFact, watermarkOf, watermarks } from '../../shared/engines/watermarks.ts';

const routes = taskTypes.flatMap(allRoutesOf);

test('every route has a statement about its watermark, and every statement is about existing routes', () => {
  expect(routes.filter((route) => watermarkOf(route) === undefined)).toEqual([]);
  for (const { routes: beginnings } of watermarks)
    for (const beginning of beginnings)
      expect(
        routes.some(({ id }) => id.startsWith(beginning)),
        beginning,
      ).toBe(true);
});

test('only results of Google’s models are said to contain SynthID', () => {
  const synthId = routes.filter((route) => typeof watermarkOf(route) === 'object').map(({ id }) => id);
  expect([...new Set(synthId)].toSorted()).toEqual([
    'fal/nano-banana-2',
    'fal/nano-banana-2-edit',
    'fal/nano-banana-pro',
    'fal/nano-banana-pro-edit',
    'fal/veo-3.1-fast',
  ]);
});

const inWords = (fact: WatermarkFact): string => {
  if (typeof fact === 'object') return `${fact.name}, by ${fact.by}`;
  return fact === 'none' ? 'none' : 'nothing is documented';
};

test('docs/engines.md lists exactly what the code says about watermarks', () => {
  const [, table = ''] =
    /\| Engine \| Watermark \|\n\| --- \| --- \|\n(.*?)\n\n/s.exec(readFileSync('docs/engines.md', 'utf8')) ?? [];
  const rows = watermarks.map(({ description, watermark }) => `| ${description} | ${inWords(watermark)} |`);
  expect(table.split('\n')).toEqual(rows);
});
