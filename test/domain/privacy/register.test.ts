/** The register of personal data compared with what the service stores; see also `test/support/registered-rows.ts`. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partitions } from '../../../infra/aws/table-partitions.ts';
import { printedPlaces, printedRows } from '../../../shared/domain/privacy/print-register.ts';
import { kindOfRow, rowKinds, unregisteredIn } from '../../../shared/domain/privacy/register.ts';

test('the check of the register of personal data names the fields and row kinds that are not registered', () => {
  const row = { pk: 'PRODUCT#account#product', sk: 'PRODUCT', byOwnerPk: 'PRODUCTS#account', title: 'Caneca' };
  expect(unregisteredIn(row)).toEqual([]);
  expect(unregisteredIn({ ...row, birthday: '1990-01-01' })).toEqual(['product.birthday']);
  expect(unregisteredIn({ pk: 'DIARY#account', sk: 'PAGE#1', text: 'Hoje' })).toEqual(['a row DIARY PAGE']);
});

test('the register of personal data has a row kind for every table partition that permissions can be limited to', () => {
  const kinds = new Set(Object.values(rowKinds).map(({ pk }) => pk.split(/[#*]/)[0]));
  const unknown = Object.entries(partitions).filter(([, pk]) => !kinds.has(pk.split(/[#*]/)[0] ?? ''));
  expect(unknown).toEqual([]);
  expect(kindOfRow({ pk: 'TASK#1', sk: 'JOB#make' })).toBe('engineJob');
});

test('of the rows that are kept after an erasure, only account rows have personal fields, which the erasure removes', () => {
  const kept = Object.entries(rowKinds).filter(([, { erasure }]) => erasure === 'kept' || erasure === 'none');
  const withPersonal = kept.filter(([, { fields }]) => Object.values(fields).includes('personal'));
  expect(withPersonal.map(([name]) => name)).toEqual(['account']);
});

test('docs/privacy.md prints the whole register of personal data', () => {
  const page = readFileSync('docs/privacy.md', 'utf8');
  expect(page).toContain(printedRows());
  expect(page).toContain(printedPlaces());
});
