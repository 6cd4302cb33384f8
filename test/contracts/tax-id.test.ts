/** CPF and CNPJ: examples that their authorities published are valid, and a single mistake makes them invalid. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTaxId } from '../../shared/contracts/tax-id.ts';

test.for([
  ['529.982.247-25', { type: 'CPF', number: '52998224725' }],
  ['11144477735', { type: 'CPF', number: '11144477735' }],
  ['00000000191', { type: 'CPF', number: '00000000191' }],
  ['00.000.000/0001-91', { type: 'CNPJ', number: '00000000000191' }],
  ['11222333000181', { type: 'CNPJ', number: '11222333000181' }],
  // The example of the Receita Federal for the CNPJ with letters.
  ['12.ABC.345/01DE-35', { type: 'CNPJ', number: '12ABC34501DE35' }],
  ['12abc34501de35', { type: 'CNPJ', number: '12ABC34501DE35' }],
] as const)('the tax id %s is accepted', ([text, expected]) => {
  expect(parseTaxId(text)).toEqual(expected);
});

test.for([
  '',
  '52998224726',
  '529.982.24725',
  '529982247250',
  ' 52998224725',
  '11111111111',
  '00000000000000',
  '11222333000182',
  '12ABC34501DE36',
  '12ABC34501DEA5',
  '12.ABC.345-01DE/35',
  '５２９９８２２４７２５',
])('the tax id %j is rejected', (text) => {
  expect(parseTaxId(text)).toBeUndefined();
});

const digits = (length: number) => fc.array(fc.nat(9), { minLength: length, maxLength: length });

test('a CPF or CNPJ with one changed digit is rejected', () => {
  const valid = ['52998224725', '11144477735', '11222333000181', '00000000000191'];
  fc.assert(
    fc.property(fc.constantFrom(...valid), fc.nat(13), fc.integer({ min: 1, max: 9 }), (number, index, added) => {
      const at = index % number.length;
      const changed = (Number(number.charAt(at)) + added) % 10;
      expect(parseTaxId(`${number.slice(0, at)}${changed}${number.slice(at + 1)}`)).toBeUndefined();
    }),
  );
});

test('a tax id has at most one valid pair of check digits', () => {
  fc.assert(
    fc.property(fc.constantFrom(9, 12).chain(digits), (rest) => {
      const pairs = Array.from({ length: 100 }, (_, pair) => rest.join('') + String(pair).padStart(2, '0'));
      const accepted = pairs.filter((number) => parseTaxId(number) !== undefined);
      expect(accepted).toHaveLength(new Set(rest).size === 1 ? accepted.length : 1);
    }),
    { numRuns: 50 },
  );
});
