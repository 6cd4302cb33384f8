/** The requests of the demos: the examples of the documentation, with files of this machine. */
import type { Client, Operations } from '../../client/client.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { clipCountOf } from '../../shared/contracts/generate-cortes.ts';
import { examples } from '../../site/generate/examples.ts';
import type { DemoOptions } from './demo-options.ts';
import type { SampleServer } from './images/sample-server.ts';
import { interviewSeconds, motionSeconds } from './made-inputs.ts';
import type { PageFile } from './results-page.ts';

type GenerationId = keyof typeof examples;
type Medium = (typeof generateContracts)[GenerationId]['medium'];

/** The expected video; the duration is absent if the task states it. */
interface ExpectedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec?: number;
  readonly hasAudio: boolean;
}

export interface DemoRequest {
  readonly name: string;
  readonly medium: Medium;
  /** The request on one line. */
  readonly summary: string;
  readonly inputs: () => Promise<readonly PageFile[]>;
  /** The file names of the results, in their order. */
  readonly fileNames: readonly string[];
  readonly expected: ExpectedVideo | undefined;
  readonly send: (api: Client, callbackUrl: string) => ReturnType<Client['generateVoice']>;
}

const portrait = { width: 720, height: 1280, hasAudio: true };

const expectedVideos: Partial<Readonly<Record<GenerationId, ExpectedVideo>>> = {
  generateCreativeVideo: { width: 854, height: 480, durationSec: 4, hasAudio: false },
  generateUgcVideo: { ...portrait, durationSec: 8 },
  imitateVideo: { ...portrait, durationSec: motionSeconds },
  generateStudioVideo: { width: 480, height: 854, durationSec: 6, hasAudio: true },
  // No duration is expected of a clip, because a clip is as long as the passage of the video that it shows.
  generateCortes: portrait,
};

/** Creates the product and the avatar of an advertisement, and returns the fields that refer to them. */
async function studioCatalog(api: Client, { urlOf }: SampleServer): Promise<object> {
  const description = 'Grãos torrados na semana, com notas de chocolate. Rende um café encorpado e sem amargor.';
  const product = { title: 'Café da Serra', description, images: [urlOf('coffee.png')] };
  const person = { name: 'Ana', imageUrl: urlOf('astronaut.jpg') };
  const made = await api.createStudioProduct({ body: product, idempotencyKey: 'product' });
  const avatar = await api.createStudioAvatar({ body: person, idempotencyKey: 'avatar' });
  return { productId: made.data.id, avatarId: avatar.data.id };
}

const extensions = { audio: 'mp3', image: 'png', video: 'mp4' } as const;

/** The samples that a request refers to become its inputs. */
function requestOf(server: SampleServer, operation: GenerationId, body: object, suffix = ''): DemoRequest {
  const { medium, taskType } = generateContracts[operation];
  const name = `${taskType}${suffix}`;
  const words = Object.entries(body).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
  const local = JSON.stringify(body).replaceAll('https://example.com/', server.urlOf(''));
  const samples = Array.from(local.matchAll(new RegExp(`${server.url}/([\\w.-]+)`, 'g')), ([, file = '']) => file);
  const { numImages = 1 } = body as Partial<Operations['generateImage']['body']>;
  const count = operation === 'generateCortes' ? clipCountOf(interviewSeconds) : numImages;
  const extension = extensions[medium];
  return {
    name,
    medium,
    summary: `${name}  ${words.join(', ').replaceAll('https://example.com/', '')}`,
    inputs: () => Promise.all(samples.map(server.fileNamed)),
    fileNames: Array.from({ length: count }, (_, index) => `${name}${count > 1 ? `-${index + 1}` : ''}.${extension}`),
    expected: expectedVideos[operation],
    async send(api, callbackUrl) {
      const send = api[operation] as unknown as Client['generateVoice'];
      const referred = operation === 'generateStudioVideo' ? await studioCatalog(api, server) : {};
      const whole = { ...JSON.parse(local), ...referred, callbackUrl } as Operations['generateVoice']['body'];
      return send({ body: whole, idempotencyKey: `demo-${name}` });
    },
  };
}

interface Show {
  readonly title: string;
  readonly isShown: (request: DemoRequest) => boolean;
}

const shows = {
  speech: { title: 'Two sentences are converted to speech.', isShown: ({ name }) => /^voice(-english)?$/.test(name) },
  images: { title: 'Images are generated and edited.', isShown: ({ medium }) => medium === 'image' },
  videos: { title: 'Videos from prompts and images.', isShown: ({ name }) => name.startsWith('video') },
  all: { title: 'All generation operations.', isShown: ({ name }) => !name.endsWith('-english') },
} as const satisfies Record<string, Show>;

const english = { text: 'This one costs two, because it is longer than fifty characters.', voice: 'george' };

export function demoRequests(show: DemoOptions['show'], server: SampleServer) {
  const { title, isShown }: Show = shows[show];
  const operations = Object.keys(examples) as GenerationId[];
  const all = [
    ...operations.map((operation) => requestOf(server, operation, examples[operation].body)),
    requestOf(server, 'generateVoice', english, '-english'),
  ];
  const [first, ...others] = all.filter(isShown);
  if (!first) throw new Error(`the demo of ${show} has no request`);
  return { title, requests: [first, ...others] as const };
}
