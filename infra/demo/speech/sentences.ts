/** The demo's texts: one sentence in each of two languages, for two voices. */
import type { DemoRequest } from '../order.ts';

interface Sentence extends Pick<DemoRequest, 'idempotencyKey'> {
  /** The language, displayed as the name of the sentence. */
  readonly name: string;
  readonly text: string;
  readonly voice: string;
  readonly fileName: string;
}

const spoken = ({ name, text, voice, idempotencyKey, fileName }: Sentence): DemoRequest => ({
  name,
  summary: `${voice}  "${text}"`,
  idempotencyKey,
  inputs: async () => [],
  fileNames: [fileName],
  send: (api, { callbackUrl, ...key }) => api.generateVoice({ body: { text, voice, callbackUrl }, ...key }),
});

export const sentences: readonly [DemoRequest, DemoRequest] = [
  spoken({
    name: 'portuguese',
    text: 'Olá! Esta frase custa um crédito.',
    voice: 'sarah',
    idempotencyKey: 'demo-1-portuguese',
    fileName: '1-portuguese-sarah.mp3',
  }),
  spoken({
    name: 'english',
    text: 'This one costs two, because it is longer than fifty characters.',
    voice: 'george',
    idempotencyKey: 'demo-2-english',
    fileName: '2-english-george.mp3',
  }),
];
