/** The demo's image requests: one for each image operation, with sample images. */
import type { Client } from '../../../client/client.ts';
import type { DemoRequest } from '../order.ts';
import { type SampleName, type SampleServer, sampleFile } from './sample-server.ts';

/** The fields of each request besides images. */
const options = {
  image: { prompt: 'A lighthouse at dawn, warm light over a calm sea', aspectRatio: '16:9', numImages: 2, seed: 7 },
  'image-edit': { prompt: 'Black and white, with more contrast and a vignette' },
  'character-replace': {},
  'background-remove': { format: 'png' },
  'image-upscale': { scale: 2 },
  influencer: { name: 'Ana', description: 'Chef, ruiva, de óculos' },
  'skin-enhance': { textureLevel: 60, poresDetail: 60, lightingFix: true },
} as const;

export type ImageOperation = keyof typeof options;

type Given = Readonly<Record<string, SampleName>>;

/** The sample image for each field. */
const given = {
  image: {},
  'image-edit': { imageUrl: 'coffee.png' },
  'character-replace': { imageUrl: 'rocket.jpg', characterImage: 'astronaut.jpg' },
  'background-remove': { imageUrl: 'astronaut.jpg' },
  'image-upscale': { imageUrl: 'coffee.png' },
  influencer: {},
  'skin-enhance': { imageUrl: 'astronaut.jpg' },
} as const satisfies Readonly<Record<ImageOperation, Given>>;

/** The names of the saved results. */
const fileNamesOf: Readonly<Record<ImageOperation, readonly string[]>> = {
  image: ['1-image-1.png', '1-image-2.png'],
  'image-edit': ['2-image-edit.png'],
  'character-replace': ['3-character-replace.png'],
  'background-remove': ['4-background-remove.png'],
  'image-upscale': ['5-image-upscale.png'],
  influencer: ['6-influencer.png'],
  'skin-enhance': ['7-skin-enhance.png'],
};

/** The sample images of an operation, in the order of its fields. */
export const samplesOf = (operation: ImageOperation): readonly SampleName[] =>
  Object.values<SampleName>(given[operation]);

/** The fields of a request on one line. */
const wordsOf = (operation: ImageOperation): string =>
  [
    ...Object.entries(given[operation]).map(([field, name]) => `${field} ${name}`),
    ...Object.entries(options[operation]).map(([field, value]) => `${field} ${JSON.stringify(value)}`),
  ].join(', ');

type Send = DemoRequest['send'];

const sendersOf = ({ urlOf }: SampleServer): Readonly<Record<ImageOperation, Send>> => {
  const sender =
    <Body extends object>(body: Body, call: (api: Client) => (request: Request<Body>) => ReturnType<Send>): Send =>
    (api, { callbackUrl, idempotencyKey }) =>
      call(api)({ body: { ...body, callbackUrl }, idempotencyKey });
  const bodyOf = <Operation extends Exclude<ImageOperation, 'image' | 'influencer'>>(operation: Operation) => ({
    ...options[operation],
    imageUrl: urlOf(given[operation].imageUrl),
  });
  const characterImage = urlOf(given['character-replace'].characterImage);
  return {
    image: sender(options.image, (api) => api.generateImage),
    'image-edit': sender(bodyOf('image-edit'), (api) => api.editImage),
    'character-replace': sender({ ...bodyOf('character-replace'), characterImage }, (api) => api.replaceCharacter),
    'background-remove': sender(bodyOf('background-remove'), (api) => api.removeBackground),
    'image-upscale': sender(bodyOf('image-upscale'), (api) => api.upscaleImage),
    influencer: sender(options.influencer, (api) => api.generateInfluencer),
    'skin-enhance': sender(bodyOf('skin-enhance'), (api) => api.enhanceSkin),
  };
};

interface Request<Body> {
  readonly body: Body & { readonly callbackUrl: string };
  readonly idempotencyKey: string;
}

export function imageRequests(samples: SampleServer): readonly [DemoRequest, ...DemoRequest[]] {
  const senders = sendersOf(samples);
  const requestFor = (operation: ImageOperation): DemoRequest => ({
    name: operation,
    summary: `${operation}  ${wordsOf(operation)}`,
    idempotencyKey: `demo-${operation}`,
    inputs: () => Promise.all(samplesOf(operation).map(sampleFile)),
    fileNames: fileNamesOf[operation],
    send: senders[operation],
  });
  const others = (Object.keys(options) as ImageOperation[]).filter((operation) => operation !== 'image');
  return [requestFor('image'), ...others.map(requestFor)];
}
