/** The register of personal data, beside what the service stores: see also `test/support/registered-rows.ts`. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partitions } from '../../../infra/aws/table-partitions.ts';
import { printedPlaces, printedRows } from '../../../shared/domain/privacy/print-register.ts';
import { kindOfRow, rowKinds, unregisteredIn } from '../../../shared/domain/privacy/register.ts';

test('the register names the fields and kinds of rows that it does not know', () => {
  const row = { pk: 'PRODUCT#account#product', sk: 'PRODUCT', byOwnerPk: 'PRODUCTS#account', title: 'Caneca' };
  expect(unregisteredIn(row)).toEqual([]);
  expect(unregisteredIn({ ...row, birthday: '1990-01-01' })).toEqual(['product.birthday']);
  expect(unregisteredIn({ pk: 'DIARY#account', sk: 'PAGE#1', text: 'Hoje' })).toEqual(['a row DIARY PAGE']);
});

test('the register has a kind for every partition that a function can be allowed to use', () => {
  const kinds = new Set(Object.values(rowKinds).map(({ pk }) => pk.split('#')[0]));
  const unknown = Object.entries(partitions).filter(([, pk]) => !kinds.has(pk.split('#')[0] ?? ''));
  expect(unknown).toEqual([]);
  expect(kindOfRow({ pk: 'TASK#1', sk: 'JOB#make' })).toBe('engineJob');
});

test('of the rows that stay after an erasure, only accounts have personal fields, which the erasure removes', () => {
  const kept = Object.entries(rowKinds).filter(([, { erasure }]) => erasure === 'kept' || erasure === 'none');
  const withPersonal = kept.filter(([, { fields }]) => Object.values(fields).includes('personal'));
  expect(withPersonal.map(([name]) => name)).toEqual(['account']);
});

test('docs/privacy.md prints the whole register', () => {
  const page = readFileSync('docs/privacy.md', 'utf8');
  expect(page).toContain(printedRows());
  expect(page).toContain(printedPlaces());
});
