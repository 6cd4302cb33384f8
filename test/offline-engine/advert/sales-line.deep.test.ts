import { describe, expect, it } from 'vitest';
import { salesLine } from '../../../offline-engine/advert/sales-line.ts';

const mug = { title: 'Caneca azul', description: 'Feita à mão em cerâmica. Cabe 300 ml.' };

describe('the spoken line for a product', () => {
  it('contains the product’s name, the first sentence of its description and a call to action', () => {
    expect(salesLine(mug, 15)).toBe('Conheça: Caneca azul. Feita à mão em cerâmica. Garanta já o seu!');
  });

  it.each([
    ['R$', 'Só R$ 39,90 hoje. Feita à mão.'],
    ['a discount', 'Agora com 50% de desconto! Feita à mão.'],
    ['installments', 'Em três parcelas. Feita à mão.'],
  ])('omits a sentence with %s', (_, description) => {
    expect(salesLine({ ...mug, description }, 15)).toBe('Conheça: Caneca azul. Feita à mão. Garanta já o seu!');
  });

  it('omits a description that contains nothing but prices', () => {
    expect(salesLine({ ...mug, description: 'Só R$ 39,90!' }, 15)).not.toMatch(/R\$|39/);
  });

  it('is shorter when there is less time, down to the name alone', () => {
    const lengths = [15, 5, 4, 3, 1].map((seconds) => salesLine(mug, seconds).length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
    expect(salesLine(mug, 1)).toBe('Caneca azul');
  });
});
