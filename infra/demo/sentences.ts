/** What the demo has spoken: one sentence in each of two languages, by two voices. */

export interface Sentence {
  /** The language, which names the sentence on the screen. */
  readonly name: string;
  readonly text: string;
  readonly voice: string;
  readonly idempotencyKey: string;
  readonly fileName: string;
}

export const sentences: readonly [Sentence, Sentence] = [
  {
    name: 'portuguese',
    text: 'Olá! Esta frase custa um crédito.',
    voice: 'sarah',
    idempotencyKey: 'demo-1-portuguese',
    fileName: '1-portuguese-sarah.mp3',
  },
  {
    name: 'english',
    text: 'This one costs two, because it is longer than fifty characters.',
    voice: 'george',
    idempotencyKey: 'demo-2-english',
    fileName: '2-english-george.mp3',
  },
];

/** Makes names of equal width. */
export const nameWidth = Math.max(...sentences.map(({ name }) => name.length));
