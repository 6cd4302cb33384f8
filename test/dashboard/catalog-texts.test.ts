import { expect, test } from 'vitest';
import { ptBr } from '../../dashboard/language/pt-br.ts';
import { defaultPlans } from '../../shared/catalog/plans.ts';

test('every text of the default catalog is translated, except the names of plans', () => {
  const { annualBadge, creditPacks, plans } = defaultPlans;
  const texts = [annualBadge, ...creditPacks.map(({ name }) => name), ...plans.flatMap(({ lines }) => lines)];
  expect(Object.keys(ptBr.catalog).toSorted()).toEqual([...new Set(texts)].toSorted());
});
