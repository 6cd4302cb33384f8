import { expect, test } from 'vitest';
import { dictionaries } from '../../dashboard/language/dictionaries.ts';
import { locales } from '../../dashboard/language/format.ts';
import { defaultPlans } from '../../shared/catalog/plans.ts';

const translations = locales.filter((locale) => locale !== 'en');

test.each(translations)(
  'every text of the default catalog except the names of plans is translated into %s',
  (locale) => {
    const { annualBadge, creditPacks, plans } = defaultPlans;
    const texts = [annualBadge, ...creditPacks.map(({ name }) => name), ...plans.flatMap(({ lines }) => lines)];
    expect(Object.keys(dictionaries[locale].catalog).toSorted()).toEqual([...new Set(texts)].toSorted());
  },
);
