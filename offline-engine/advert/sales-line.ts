/** Writes a short line for a product, without prices, if the request has none. */

/** Roughly how many characters are spoken per second. */
const lettersPerSecond = 13;

/** Amounts, percentages and installments, which are not spoken. */
const price = /R\$|\$|€|%|\b(?:reais|desconto|promoção|preço|parcelas?|grátis)\b/iu;

/** The first sentence of a description that mentions no price. */
const gistOf = (description: string): string | undefined =>
  description
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])\s/u)
    .map((sentence) => sentence.trim())
    .find((sentence) => /\p{L}/u.test(sentence) && !price.test(sentence));

const ended = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`);

export interface AdvertisedProduct {
  readonly title: string;
  readonly description: string;
}

/** The part of a line that can be spoken in the given time; at least the product's name. */
export function salesLine({ title, description }: AdvertisedProduct, seconds: number): string {
  const name = title.replace(/[\s.!?…]+$/u, '');
  const gist = gistOf(description);
  const lines = [
    ...(gist ? [`Conheça: ${name}. ${ended(gist)} Garanta já o seu!`, `${name}. ${ended(gist)}`] : []),
    `Conheça: ${name}. Feito para o seu dia a dia. Garanta já o seu!`,
    `${name}: garanta já o seu!`,
  ];
  return lines.find((line) => line.length <= seconds * lettersPerSecond) ?? name;
}
