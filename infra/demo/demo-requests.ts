/** The requests of the demos, in one list of which each demo sends a part. */
import type { Client, OperationId, Operations } from '../../client/client.ts';
import { clipCountOf } from '../../shared/contracts/generate-cortes.ts';
import type { SampleServer } from './images/sample-server.ts';
import { interviewSeconds } from './made-inputs.ts';
import { motionSeconds } from './motion-video.ts';
import type { DemoRequest, ExpectedVideo } from './order.ts';

type GenerationId = {
  [Id in OperationId]: Operations[Id] extends { readonly body: { readonly callbackUrl?: unknown } } ? Id : never;
}[OperationId];

type Body<Id extends GenerationId> = Omit<Operations[Id]['body'], 'callbackUrl'>;

type Send = (request: { readonly body: object; readonly idempotencyKey: string }) => ReturnType<DemoRequest['send']>;

interface Results {
  /** The file extension of the results. */
  readonly as: 'mp3' | 'mp4' | 'png';
  readonly count?: number;
  readonly expected?: ExpectedVideo;
  /** Creates what the request refers to, and returns the fields that refer to it. */
  readonly prepare?: (api: Client, idempotencyKey: string) => Promise<object>;
}

const fileNamesOf = (name: string, { as, count = 1 }: Results): readonly string[] =>
  count === 1 ? [`${name}.${as}`] : Array.from({ length: count }, (_, index) => `${name}-${index + 1}.${as}`);

/** A placeholder for a field that `prepare` provides. */
const toBePrepared = '';

/** The samples that a request refers to become its inputs. */
const requestsTo =
  (server: SampleServer) =>
  <Id extends GenerationId>(name: string, operation: Id, body: Body<Id>, results: Results): DemoRequest => {
    const given = Object.entries(body).filter(([, value]) => value !== toBePrepared);
    const words = given.map(([field, value]) => `${field} ${JSON.stringify(value)}`);
    const samples = JSON.stringify(body).matchAll(new RegExp(`${server.url}/([\\w.-]+)`, 'g'));
    const inputs = Array.from(samples, ([, fileName = '']) => fileName);
    return {
      name,
      summary: `${name}  ${words.join(', ').replaceAll(`${server.url}/`, '')}`,
      idempotencyKey: `demo-${name}`,
      inputs: () => Promise.all(inputs.map(server.fileNamed)),
      fileNames: fileNamesOf(name, results),
      expected: results.expected,
      async send(api, { callbackUrl, idempotencyKey }) {
        const prepared = await results.prepare?.(api, idempotencyKey);
        const send = api[operation] as unknown as Send;
        return send({ body: { ...body, ...prepared, callbackUrl }, idempotencyKey });
      },
    };
  };

const product = {
  title: 'Café da Serra',
  description: 'Grãos torrados na semana, com notas de chocolate. Rende um café encorpado e sem amargor.',
} as const;

const portrait = { width: 720, height: 1280, hasAudio: true } as const;

type NewRequest = ReturnType<typeof requestsTo>;

/** The requests of each operation. */
type Requests = Readonly<Record<GenerationId, readonly DemoRequest[]>>;

const sounds = (request: NewRequest, { urlOf }: SampleServer) => ({
  generateVoice: [
    request('voice', 'generateVoice', { text: 'Olá! Esta frase custa um crédito.', voice: 'sarah' }, { as: 'mp3' }),
    request(
      'voice-english',
      'generateVoice',
      { text: 'This one costs two, because it is longer than fifty characters.', voice: 'george' },
      { as: 'mp3' },
    ),
  ],
  changeVoice: [
    request('voice-change', 'changeVoice', { audioUrl: urlOf('recording.mp3'), voice: 'charlotte' }, { as: 'mp3' }),
  ],
});

function images(request: NewRequest, { urlOf }: SampleServer) {
  const [astronaut, coffee, rocket] = [urlOf('astronaut.jpg'), urlOf('coffee.png'), urlOf('rocket.jpg')];
  const png = { as: 'png' } as const;
  const art = { prompt: 'A lighthouse at dawn, warm light over a calm sea', aspectRatio: '16:9', seed: 7 } as const;
  const edit = { imageUrl: coffee, prompt: 'Black and white, with more contrast and a vignette' };
  const skin = { imageUrl: astronaut, textureLevel: 60, poresDetail: 60, lightingFix: true };
  return {
    generateImage: [request('image', 'generateImage', { ...art, numImages: 2 }, { ...png, count: 2 })],
    editImage: [request('image-edit', 'editImage', edit, png)],
    replaceCharacter: [
      request('character-replace', 'replaceCharacter', { imageUrl: rocket, characterImage: astronaut }, png),
    ],
    removeBackground: [request('background-remove', 'removeBackground', { imageUrl: astronaut, format: 'png' }, png)],
    upscaleImage: [request('image-upscale', 'upscaleImage', { imageUrl: coffee, scale: 2 }, png)],
    generateInfluencer: [
      request('influencer', 'generateInfluencer', { name: 'Ana', description: 'Chef, ruiva, de óculos' }, png),
    ],
    enhanceSkin: [request('skin-enhance', 'enhanceSkin', skin, png)],
  };
}

/** Creates the product and, if needed, the avatar of an advertisement. */
const studioCatalog =
  ({ urlOf }: SampleServer, avatarName?: string) =>
  async (api: Client, idempotencyKey: string) => {
    const body = { ...product, images: [urlOf('coffee.png')] };
    const made = await api.createStudioProduct({ body, idempotencyKey: `${idempotencyKey}-product` });
    if (avatarName === undefined) return { productId: made.data.id };
    const person = { name: avatarName, imageUrl: urlOf('astronaut.jpg') };
    const avatar = await api.createStudioAvatar({ body: person, idempotencyKey: `${idempotencyKey}-avatar` });
    return { productId: made.data.id, avatarId: avatar.data.id };
  };

const studio = (request: NewRequest, server: SampleServer): readonly DemoRequest[] => {
  const testimonial = {
    mode: 'depoimento',
    hookId: 'pergunta-direta',
    settingId: 'cozinha',
    aspectRatio: '9:16',
  } as const;
  const showcase = { mode: 'vitrine', hookId: 'novidade', settingId: 'cidade-a-noite' } as const;
  const userPrompt = 'Eu troquei o meu café por este e não volto mais atrás!';
  return [
    request(
      'video-studio',
      'generateStudioVideo',
      { ...testimonial, userPrompt, resolution: '480p', durationSec: 6, productId: toBePrepared },
      {
        as: 'mp4',
        expected: { width: 480, height: 854, durationSec: 6, hasAudio: true },
        prepare: studioCatalog(server, 'Ana'),
      },
    ),
    request(
      'video-studio-showcase',
      'generateStudioVideo',
      { ...showcase, resolution: '480p', durationSec: 5, productId: toBePrepared },
      {
        as: 'mp4',
        expected: { width: 640, height: 480, durationSec: 5, hasAudio: true },
        prepare: studioCatalog(server),
      },
    ),
  ];
};

function creativeVideos(request: NewRequest, { urlOf }: SampleServer): readonly DemoRequest[] {
  const [coffee, rocket] = [urlOf('coffee.png'), urlOf('rocket.jpg')];
  return [
    request(
      'video-creative-frames',
      'generateCreativeVideo',
      {
        prompt: 'Uma xícara de café ao amanhecer; ao longe, um foguete decola e a câmera o acompanha',
        durationSec: 6,
        imageUrl: coffee,
        lastImageUrl: rocket,
      },
      { as: 'mp4', expected: { ...portrait, durationSec: 6 } },
    ),
    request(
      'video-creative',
      'generateCreativeVideo',
      {
        prompt: 'Um farol ao amanhecer, ondas batem nas pedras',
        durationSec: 4,
        aspectRatio: '16:9',
        resolution: '480p',
        audio: false,
      },
      { as: 'mp4', expected: { width: 854, height: 480, durationSec: 4, hasAudio: false } },
    ),
  ];
}

function videos(request: NewRequest, server: SampleServer) {
  const { urlOf } = server;
  const spoken = { action: 'sorri para a câmera e aponta para a xícara', emotion: 'empolgado' } as const;
  return {
    generateCreativeVideo: creativeVideos(request, server),
    generateUgcVideo: [
      request(
        'video-ugc',
        'generateUgcVideo',
        {
          ...spoken,
          template: 'selfie',
          speech: 'Gente, olha que café incrível que eu encontrei!',
          backgroundSound: 'cafeteria movimentada',
          combinedImages: [urlOf('astronaut.jpg'), urlOf('coffee.png')],
        },
        { as: 'mp4', expected: { ...portrait, durationSec: 8 } },
      ),
    ],
    imitateVideo: [
      request(
        'video-imitate',
        'imitateVideo',
        {
          model: 'vendor-motion-3.0',
          quality: '720p',
          characterImage: urlOf('chelsea.webp'),
          motionVideo: urlOf('motion.mp4'),
        },
        { as: 'mp4', expected: { ...portrait, durationSec: motionSeconds } },
      ),
    ],
    generateStudioVideo: studio(request, server),
  };
}

const clips = (request: NewRequest, { urlOf }: SampleServer): DemoRequest =>
  request(
    'cortes',
    'generateCortes',
    { videoUrl: urlOf('interview.mp4'), aspectRatio: '9:16' },
    // Each clip is as long as its passage.
    { as: 'mp4', count: clipCountOf(interviewSeconds), expected: portrait },
  );

export function demoRequests(server: SampleServer): readonly DemoRequest[] {
  const request = requestsTo(server);
  const requests: Requests = {
    ...images(request, server),
    ...sounds(request, server),
    ...videos(request, server),
    generateCortes: [clips(request, server)],
  };
  return Object.values(requests).flat();
}
