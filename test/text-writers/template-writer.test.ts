import { expect, test } from 'vitest';
import { templateWriter } from '../../shared/text-writers/template-writer.ts';

const image = (width: number, height: number) => ({
  bytes: new Uint8Array(),
  contentType: 'image/png' as const,
  width,
  height,
});

test('a template says what can be told without looking, and that nothing looked', async () => {
  const written = await templateWriter.describeProduct({ images: [image(30, 40), image(40, 30)], given: {} });
  expect(written).toEqual({
    title: 'Produto em 2 fotos, a primeira vertical',
    description:
      'Este produto, apresentado em 2 fotos, a primeira vertical. Texto de modelo, escrito sem análise das imagens.',
  });
});

test.for([
  [110, 100, 'quadrada'],
  [111, 100, 'horizontal'],
  [90, 100, 'quadrada'],
  [89, 100, 'vertical'],
] as const)('an image of %i × %i is %s', async ([width, height, shape]) => {
  const { title } = await templateWriter.describeProduct({ images: [image(width, height)], given: {} });
  expect(title).toBe(`Produto em uma foto ${shape}`);
});

test('a given title is kept and used', async () => {
  const given = { title: 'Caneca azul' };
  const { title, description } = await templateWriter.describeProduct({ images: [image(1, 1)], given });
  expect([title, description]).toEqual(['Caneca azul', expect.stringMatching(/^Caneca azul, apresentado em uma foto/)]);
});
