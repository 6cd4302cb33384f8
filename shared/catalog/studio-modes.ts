/** The default modes of Studio videos, which cover every combination of speech and avatar policy. */
import type { StudioMode } from './studio.ts';

export const defaultModes: readonly StudioMode[] = [
  {
    slug: 'depoimento',
    name: 'Depoimento',
    description:
      'Uma pessoa olha para a câmera e conta, com as próprias palavras, por que recomenda o produto. Ideal para gerar confiança.',
    direction:
      'A testimonial in one continuous shot: the presenter holds the product and talks to the camera in an honest, relaxed tone. Medium close-up, a slight handheld movement, a calm pace.',
    costsByResolution: { '480p': 90, '720p': 150 },
    speechPolicy: 'optional',
    avatarPolicy: 'required',
  },
  {
    slug: 'unboxing',
    name: 'Unboxing',
    description: 'O produto sai da caixa e aparece de perto, com a emoção da primeira vez. Com ou sem apresentador.',
    direction:
      'An unboxing: a plain box is opened on a table and the product is lifted out and turned towards the camera. Close-ups from above and from the front, a playful, curious pace.',
    costsByResolution: { '480p': 80, '720p': 130 },
    speechPolicy: 'optional',
    avatarPolicy: 'optional',
  },
  {
    slug: 'passo-a-passo',
    name: 'Passo a passo',
    description: 'Mostra em três passos simples como o produto é usado no dia a dia. Com ou sem apresentador.',
    direction:
      'A tutorial in three clear steps: the product is prepared, used and its result is shown. A steady camera, a clean cut between the steps, an even pace.',
    costsByResolution: { '480p': 80, '720p': 130 },
    speechPolicy: 'optional',
    avatarPolicy: 'optional',
  },
  {
    slug: 'narracao',
    name: 'Produto narrado',
    description: 'Só o produto em cena, enquanto uma voz conta o que ele tem de melhor.',
    direction:
      'A narrated product film without people: the camera moves slowly around the product and lingers on its details while a voice-over explains it.',
    costsByResolution: { '480p': 64, '720p': 110 },
    speechPolicy: 'optional',
    avatarPolicy: 'forbidden',
  },
  {
    slug: 'oferta-relampago',
    name: 'Oferta relâmpago',
    description: 'Cortes rápidos e muita energia para convidar à compra agora mesmo. Só o produto aparece.',
    direction:
      'A high-energy promotion without people: fast cuts, whip pans and punch-in zooms on the product, bold colors, a driving rhythm. No prices and no written text.',
    costsByResolution: { '480p': 70, '720p': 116 },
    speechPolicy: 'optional',
    avatarPolicy: 'forbidden',
  },
  {
    slug: 'vitrine',
    name: 'Vitrine giratória',
    description: 'O produto gira devagar sob um facho de luz, como na vitrine de uma loja. Sem fala, só música.',
    direction:
      'A showcase without people and without speech: the product turns slowly on a pedestal in a spotlight, with a soft reflection below it. Elegant background music.',
    costsByResolution: { '480p': 50, '720p': 84 },
    speechPolicy: 'forbidden',
    avatarPolicy: 'forbidden',
  },
  {
    slug: 'provador',
    name: 'Provador',
    description: 'Uma pessoa usa e exibe o produto em poses de editorial de moda. Sem fala, só música.',
    direction:
      'A lookbook without speech: the presenter wears or holds the product and moves through editorial poses. Full and half shots, crisp transitions on the beat of the music.',
    costsByResolution: { '480p': 84, '720p': 140 },
    speechPolicy: 'forbidden',
    avatarPolicy: 'required',
  },
  {
    slug: 'estilo-de-vida',
    name: 'Estilo de vida',
    description:
      'O produto em um momento do dia a dia, com imagens de cinema. Com ou sem uma pessoa; sem fala, só música.',
    direction:
      'A cinematic lifestyle scene without speech: the product is part of an everyday moment. Shallow depth of field, warm light, slow dolly movement, calm background music.',
    costsByResolution: { '480p': 72, '720p': 124 },
    speechPolicy: 'forbidden',
    avatarPolicy: 'optional',
  },
];
