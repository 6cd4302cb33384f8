import { expect, test } from 'vitest';
import { templateWriter } from '../../shared/text-writers/template-writer.ts';
import type { ProductTexts, SeenProduct } from '../../shared/text-writers/text-writer.ts';

const image = (width: number, height: number) => ({
  bytes: new Uint8Array(),
  contentType: 'image/png' as const,
  width,
  height,
});

/** Templates need no time, and never fail. */
const describe = async (product: SeenProduct) => (await templateWriter.describeProduct(product, 0)) as ProductTexts;

test('the template writer describes only the shape and number of the images, and says that the images were not analyzed', async () => {
  const written = await describe({ images: [image(30, 40), image(40, 30)], given: {} });
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
] as const)('the template writer describes an image of %i × %i pixels as “%s”', async ([width, height, shape]) => {
  const { title } = await describe({ images: [image(width, height)], given: {} });
  expect(title).toBe(`Produto em uma foto ${shape}`);
});

test('the template writer keeps a given product title and uses it in the description', async () => {
  const given = { title: 'Caneca azul' };
  const { title, description } = await describe({ images: [image(1, 1)], given });
  expect([title, description]).toEqual(['Caneca azul', expect.stringMatching(/^Caneca azul, apresentado em uma foto/)]);
});
