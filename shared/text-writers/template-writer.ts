/** Writes texts without a model: fixed sentences, filled in with what is known without analyzing the images. */
import type { ProductTexts, SeenImage, SeenProduct, TextWriter } from './text-writer.ts';

/** Tells the reader that no model has seen the images. */
const mark = 'Texto de modelo, escrito sem análise das imagens.';

const shapeOf = ({ width, height }: Pick<SeenImage, 'width' | 'height'>): string => {
  const ratio = width / height;
  if (ratio > 1.1) return 'horizontal';
  return ratio < 0.9 ? 'vertical' : 'quadrada';
};

const photos = ({ images }: SeenProduct): string => {
  const [first] = images;
  const shape = first ? ` ${shapeOf(first)}` : '';
  if (images.length === 1) return `uma foto${shape}`;
  return `${images.length} fotos, a primeira${shape}`;
};

function describe(product: SeenProduct): ProductTexts {
  const { title = `Produto em ${photos(product)}`, description } = product.given;
  const subject = product.given.title ?? 'Este produto';
  return {
    title,
    description: description ?? `${subject}, apresentado em ${photos(product)}. ${mark}`,
  };
}

export const templateWriter: TextWriter = {
  describeProduct: async (product) => describe(product),
  rankPassages: async () => ({ problem: 'passages can only be ranked with a language model' }),
};
