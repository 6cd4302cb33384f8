/** Answers of the fakes' language models: a text in the required form, or one that violates it. */
import { passageAnswer } from './passage-answers.ts';

const product = { title: 'Caneca de cerâmica', description: 'Caneca azul, fotografada sobre uma mesa de madeira.' };

/** The invalid answer for each word that can be anywhere in the data, such as `[text:markup]`. */
const broken: Readonly<Record<string, unknown>> = {
  'no-json': 'Claro! Aqui está a descrição do produto.',
  markup: { ...product, title: '<b>Caneca</b>' },
  markdown: { ...product, description: 'Veja a **caneca**.' },
  address: { ...product, description: 'Compre em https://example.com agora.' },
  domain: { ...product, description: 'Compre na minhaloja.com.br agora.' },
  mail: { ...product, description: 'Escreva para ana@example agora.' },
  'long-title': { ...product, title: 'a'.repeat(81) },
  'long-description': { ...product, description: 'a'.repeat(601) },
  'more-fields': { ...product, price: 10 },
  'fewer-fields': { title: product.title },
  'other-type': { ...product, title: ['Caneca'] },
  empty: { ...product, title: ' ' },
  control: { ...product, title: 'Caneca\u202e' },
};

/** The unusual but valid answer for each word that can be anywhere in the data. */
const usable: Readonly<Record<string, string>> = {
  wrapped: `\`\`\`json\n${JSON.stringify(product, undefined, 2)}\n\`\`\``,
  'two-lines': JSON.stringify({ ...product, description: ` ${product.description.replace(', ', ',\n')} ` }),
  'longest-title': JSON.stringify({ ...product, title: '\u{1F600}'.repeat(80) }),
  'longest-description': JSON.stringify({ ...product, description: '\u{1F600}'.repeat(600) }),
};

export const brokenAnswers = Object.keys(broken);

function productAnswer(data: string): string {
  const [, word = ''] = /\[text:([a-z-]+)\]/.exec(data) ?? [];
  const text = usable[word] ?? broken[word] ?? product;
  return typeof text === 'string' ? text : JSON.stringify(text);
}

/** The answer to a prompt, which asks either for the passages of a video or for the texts of a product. */
export const languageAnswer = (data: string): string => passageAnswer(data) ?? productAnswer(data);
